internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import JPEGCore
internal import SystemPackage
internal import Upright

/// The option for the maximum size of a file that is read whole.
struct SizeLimit: DeclaredOptions {
  var maxBytes = 1 << 30

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &maxBytes,
      "max-bytes",
      help: .of("max-bytes", valueName: "count", visibility: .hidden)
    )
  }

  /// Throws an error of code `limit` if a file of this many bytes is too large.
  func check(_ size: Int) throws(UprightError) { try options().checkSize(size) }

  /// Returns options with this limit, and one of pixels.
  func options(maxPixels: Int = Options().maxPixels) -> Options {
    var options = Options()
    (options.maxBytes, options.maxPixels) = (maxBytes, maxPixels)
    return options
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
    let beginning = try read(at: 0, count: ImageFormat.recognizedLength)
    do throws(ContainerError) {
      _ = try Container(beginning.span, extent: .header)
    } catch  where error.kind != .truncated {
      throw UprightError(error, of: beginning.span)
    } catch {
      // The rest of the header is not available yet.
    }
    return try readAll(limit)
  }
}
