internal import JPEGCore

/// What an audit finds out about a file: what a normalization would do, and what is in the file.
public struct Audit: Sendable {
  /// What a normalization would do; the same plan that it carries out.
  public var plan: Plan
  /// What is in the file.
  public var facts: Facts
}

extension Normalizer {
  /// Audits a file through a few small reads: its header, the headers of the pictures that an index in it
  /// lists, and its last bytes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - read: Gives the bytes of the file from an offset on, at most as many as asked for, and fewer only at
  ///     the end of the file.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``, and what `read` throws.
  public func audit(
    size: Int,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Audit {
    let (header, beginning) = try Header.reading(read)
    let plan = try planner.plan(header, beginning.span)
    let reader = FactsReader(header: header, plan: plan, beginning: beginning, size: size)
    return Audit(plan: plan, facts: try reader.facts(read))
  }
}
