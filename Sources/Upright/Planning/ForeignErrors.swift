#if !hasFeature(Embedded)
// Reading with errors of any type. Embedded Swift has typed errors alone.

extension Normalizer {
  /// Plans from a file's header, reading no more of it than that takes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size; nil where it is not known.
  ///   - read: Returns the bytes of the file from an offset on, at most as many as asked for, and fewer only at the
  ///     end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, and what `read` throws.
  public func plan(
    size: Int? = nil,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Plan {
    try withTypedErrors(read) { (read) throws(UprightError) in
      try plan(size: size, reading: read)
    }
  }

  /// Audits a file through a few small reads: its header, the headers of the images that an index in it
  /// lists, and its last bytes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - detail: How much to find out.
  ///   - read: Returns the bytes of the file from an offset on, at most as many as asked for, and fewer only at
  ///     the end of the file.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``, and what `read` throws.
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
  /// Plans from a file's header, reading no more of it than that takes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size; nil where it is not known.
  ///   - read: Returns the bytes of the file from an offset on, at most as many as asked for, and fewer only at the
  ///     end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, and what `read` throws.
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
