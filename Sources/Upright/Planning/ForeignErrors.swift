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
    var foreign: (any Error)?
    do {
      return try plan(
        size: size,
        reading: { (offset, count) throws(UprightError) in
          try typed(&foreign) { try read(offset, count) }
        }
      )
    } catch { throw foreign ?? error }
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
    var foreign: (any Error)?
    do {
      return try audit(
        size: size,
        detail: detail,
        reading: { (offset, count) throws(UprightError) in
          try typed(&foreign) { try read(offset, count) }
        }
      )
    } catch { throw foreign ?? error }
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
    var foreign: (any Error)?
    do {
      return try plan(
        size: size,
        reading: { (offset, count) throws(UprightError) in
          try typed(&foreign) { try read(offset, count) }
        }
      )
    } catch { throw foreign ?? error }
  }
}

/// Reads, keeps an error of any type, and throws a typed one in its place.
private func typed(
  _ foreign: inout (any Error)?,
  _ read: () throws -> [UInt8]
) throws(UprightError) -> [UInt8] {
  do {
    return try read()
  } catch {
    foreign = error
    throw UprightError(.truncated, "the file cannot be read")
  }
}
#endif
