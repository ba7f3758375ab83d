package import FileSystem
package import ImageFormats
internal import Upright

extension StandardStreams {
  /// Reads an image of at most `limit` bytes from standard input; only its first bytes if it does not start like a JPEG file or
  /// a file of one of the formats.
  package static func readImage(
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
