internal import ArgumentParser
internal import FileSystem
internal import JPEGCore
internal import SystemPackage
internal import Upright

/// The option for the maximum size of a file that is read whole.
struct SizeLimit: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Refuse files with more bytes than this, because files are read into memory.",
      valueName: "count",
      visibility: .hidden
    )
  )
  var maxBytes = 1 << 30

  /// Throws an error if a file of this many bytes is too large.
  ///
  /// - Throws: ``UprightError`` of code `limit`.
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
  /// Reads a JPEG file from standard input.
  ///
  /// - Returns: The file; if it does not start like a JPEG file, only its first bytes.
  /// - Throws: ``UprightError`` of code `limit` where it is too large, and ``FileError``.
  static func readJPEG(_ limit: Int) throws -> [UInt8] {
    do throws(FileError) {
      return try read(limit: limit, while: [0xFF, 0xD8])
    } catch  where error.problem == .tooLarge {
      throw UprightError.tooManyBytes("standard input has too many bytes", limit: limit)
    }
  }
}
