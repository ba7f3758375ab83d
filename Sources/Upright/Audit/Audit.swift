internal import JPEGCore

/// What an audit finds out about a file: what a normalization would do, and what is in the file.
public struct Audit: Sendable {
  /// What a normalization would do; the same plan that it carries out.
  public var plan: Plan
  /// What is in the file.
  public var facts: Facts

  /// How much an audit finds out.
  public enum Detail: Sendable {
    /// What one counts of many files: of ``Facts`` not the time, what a transform would cut off, what speaks against
    /// the tag, and XMP's Orientation only where it is not Exif's.
    case totals
    /// All there is to tell.
    case everything
  }
}

extension Normalizer {
  /// Audits a file that is in memory.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - detail: How much to find out.
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
    let facts = try reader.facts { (offset, count) throws(UprightError) in
      Array(file.dropFirst(offset).prefix(count))
    }
    return Audit(plan: plan, facts: facts)
  }

  /// Audits a file through a few small reads: its header, the headers of the images that an index in it
  /// lists, and its last bytes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - detail: How much to find out.
  ///   - read: Gives the bytes of the file from an offset on, at most as many as asked for, and fewer only at
  ///     the end of the file.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``.
  package func audit(
    size: Int,
    detail: Audit.Detail = .everything,
    reading read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Audit {
    let (header, beginning) = try Header.reading(read)
    let plan = try planner(size).plan(header, beginning.span)
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
