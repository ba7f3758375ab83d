/// The result of an audit: the plan for a file and its facts.
public struct Audit: Sendable {
  /// The plan, which a normalization would execute.
  public var plan: Plan
  /// The facts of the file.
  public var facts: Facts

  /// How much an audit reads.
  public enum Detail: Sendable {
    /// What is counted over many files. ``Facts`` lacks the capture time, the position, the trimming and the evidence of a
    /// stale tag, and has XMP's Orientation only if it differs from that of Exif.
    case totals
    /// All facts.
    case everything
  }
}
