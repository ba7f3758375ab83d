internal import ArgumentParser
internal import FileSystem
internal import JPEGCore
internal import SystemPackage
internal import Upright

/// The option of how large a file may be that is read whole.
struct SizeLimit: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Do not work on files of more bytes than this, which would have to be held in memory.",
      valueName: "count"
    )
  )
  var maxBytes = 1 << 30

  /// Refuses a file of so many bytes, where that is too much.
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

  /// Reads the whole file, if it begins like a JPEG file.
  ///
  /// - Throws: ``UprightError`` where it does not or is too large, and ``FileError``.
  func readJPEG(_ limit: SizeLimit) throws -> [UInt8] {
    let beginning = try read(at: 0, count: FileFormat.length)
    do throws(ContainerError) {
      _ = try Container(beginning.span, extent: .header)
    } catch  where error.kind != .truncated {
      throw UprightError(error)
    } catch {
      // The rest of the header is not there yet.
    }
    return try readAll(limit)
  }
}

extension StandardStreams {
  /// Reads a JPEG file from standard input.
  ///
  /// - Returns: The file; of other input the beginning, which shows that it is none.
  /// - Throws: ``UprightError`` of code `limit` where it is too large, and ``FileError``.
  static func readJPEG(_ limit: Int) throws -> [UInt8] {
    do throws(FileError) {
      return try read(limit: limit, while: [0xFF, 0xD8])
    } catch  where error.problem == .tooLarge {
      throw UprightError.tooManyBytes("there are more bytes to read", limit: limit)
    }
  }
}
