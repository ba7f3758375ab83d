internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import JPEGCore
internal import SystemPackage
internal import Upright

/// The option for the maximum size of a file that is read whole.
struct SizeLimit: ParsableArguments {
  @Option(
    help: .of("max-bytes", valueName: "count", visibility: .hidden)
  )
  var maxBytes = 1 << 30

  /// Throws an error of code `limit` if a file of this many bytes is too large.
  func check(_ size: Int) throws(UprightError) {
    var options = Options()
    options.maxBytes = maxBytes
    try options.checkSize(size)
  }
}

extension FileReader {
  /// Reads the whole file.
  ///
  /// - Throws: ``UprightError`` of code `limit` where it is too large, and ``FileError``.
  func readAll(_ limit: SizeLimit) throws -> [UInt8] {
    try limit.check(identity.size)
    return try readAll()
  }

  /// Reads the whole file if it starts like a JPEG file.
  ///
  /// - Throws: ``UprightError`` where it does not or is too large, and ``FileError``.
  func readJPEG(_ limit: SizeLimit) throws -> [UInt8] {
    let beginning = try read(at: 0, count: FileFormat.length)
    do throws(ContainerError) {
      _ = try Container(beginning.span, extent: .header)
    } catch  where error.kind != .truncated {
      throw UprightError(error)
    } catch {
      // The rest of the header is not available yet.
    }
    return try readAll(limit)
  }
}

extension StandardStreams {
  /// Reads an image of at most `limit` bytes from standard input; only its first bytes if it does not start like a JPEG file or
  /// a file of one of the formats.
  static func readImage(
    _ limit: Int,
    orOf formats: Set<ImageFormat> = []
  ) throws -> [UInt8] {
    func isExpected(_ bytes: [UInt8]) -> Bool {
      if bytes.count < 2 || bytes.starts(with: [0xFF, 0xD8]) { return true }
      guard let format = ImageFormat(beginning: bytes.span) else {
        return bytes.count < ImageFormat.recognizedLength
      }
      return formats.contains(format)
    }
    do throws(FileError) {
      return try read(limit: limit, while: isExpected)
    } catch {
      guard error.problem == .tooLarge else { throw error }
      throw UprightError.tooManyBytes("standard input has too many bytes", limit: limit)
    }
  }
}
