#if !hasFeature(Embedded)
// Reading with errors of any type. Embedded Swift supports only typed errors.

extension Normalizer {
  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func plan(
    size: Int? = nil,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Plan {
    try withTypedErrors(read) { (read) throws(UprightError) in
      try plan(size: size, reading: read)
    }
  }

  /// Audits a file with a few small reads: its header, the headers of the images listed in an index, and its last
  /// bytes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - detail: How much to read.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func audit(
    size: Int,
    detail: Audit.Detail = .everything,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Audit {
    try withTypedErrors(read) { (read) throws(UprightError) in
      try audit(size: size, detail: detail, reading: read)
    }
  }
}

extension TagEditor {
  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func plan(
    size: Int? = nil,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Plan {
    try withTypedErrors(read) { (read) throws(UprightError) in
      try plan(size: size, reading: read)
    }
  }
}

/// Calls work that throws typed errors with a reader that throws errors of any type.
///
/// - Parameters:
///   - read: The reader.
///   - work: The work; its reader throws a typed error in place of any error of `read`.
/// - Returns: What the work returned.
/// - Throws: The error that `read` threw, or else ``UprightError`` of the work.
private func withTypedErrors<Value>(
  _ read: (_ offset: Int, _ count: Int) throws -> [UInt8],
  _ work: (
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Value
) throws -> Value {
  try withoutActuallyEscaping(read) { read in
    var foreign: (any Error)?
    do {
      return try work { (offset, count) throws(UprightError) in
        do {
          return try read(offset, count)
        } catch {
          foreign = error
          throw UprightError(.truncated, "the file cannot be read")
        }
      }
    } catch { throw foreign ?? error }
  }
}
#endif
