#if !hasFeature(Embedded)
package import ImageFormats

/// Work with readers that throw errors of any type, which Embedded Swift does not have.
extension Rewriter {
  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func plan(
    size: Int? = nil,
    reading read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Plan {
    try planned(size: size, taking: request.formats, from: read).plan
  }

  /// Audits a file of any format with a few small reads: its header, the headers of the images listed in an index, and
  /// its last bytes.
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
    reading read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Audit {
    try audit(size: size, detail: detail, of: Set(ImageFormat.allCases), from: read)
  }

  // Without these, the compiler would not specialize all work on a file for callers in other modules.

  /// Opens a file of one of the formats and plans for it, with a few small reads.
  ///
  /// - Throws: ``UprightError``, or the error of `read`.
  package func planned(
    size: Int?,
    taking formats: Set<ImageFormat>,
    ending: String? = nil,
    from read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> PlannedPhoto {
    do throws(ReadingError<any Error>) {
      return try planned(size: size, taking: formats, ending: ending, reading: read)
    } catch { throw error.underlying }
  }

  /// Audits a file of one of the formats with a few small reads.
  ///
  /// - Throws: ``UprightError``, or the error of `read`.
  package func audit(
    size: Int,
    detail: Audit.Detail,
    of formats: Set<ImageFormat>,
    ending: String? = nil,
    from read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Audit {
    do throws(ReadingError<any Error>) {
      return try audit(size: size, detail: detail, of: formats, ending: ending, reading: read)
    } catch { throw error.underlying }
  }
}

extension ReadingError {
  /// The error itself.
  fileprivate var underlying: any Error {
    switch self {
    case .content(let error): error
    case .reader(let error): error
    }
  }
}
#endif
