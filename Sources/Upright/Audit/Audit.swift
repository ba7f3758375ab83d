internal import JPEGCore

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

extension Normalizer {
  /// Audits a file in memory.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - detail: How much to read.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``.
  public func audit(
    _ file: [UInt8],
    detail: Audit.Detail = .everything
  ) throws(UprightError) -> Audit {
    let plan = try plan(file)
    let reader = FactsReader(
      header: try Header(leading: file),
      plan: plan,
      beginning: file,
      size: file.count,
      detail: detail
    )
    return Audit(plan: plan, facts: try reader.facts(Self.reading(file)))
  }

  /// Audits a file with a few small reads: its header, the headers of the images listed in an index, and its last
  /// bytes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - detail: How much to read.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``.
  package func audit(
    size: Int,
    detail: Audit.Detail = .everything,
    reading read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Audit {
    let (header, beginning) = try Header.reading(read)
    let plan = try planner(size).plan(header, beginning.span, reading: read)
    let reader = FactsReader(
      header: consume header,
      plan: plan,
      beginning: beginning,
      size: size,
      detail: detail
    )
    return Audit(plan: plan, facts: try reader.facts(read))
  }
}
