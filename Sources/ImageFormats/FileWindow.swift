package import ISOBMFF

/// Why a header could not be read: because of its content, or of its reader.
package enum HeaderError<Failure: Error>: Error {
  case content(FormatError)
  case reader(Failure)
}

/// The bytes of a file that a reader of headers asks for.
///
/// The first bytes and those that were read last are kept.
struct FileWindow<Failure: Error> {
  typealias Read = (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]

  /// The size of the file in bytes.
  let size: Int
  private let beginning: [UInt8]
  private var last: (bytes: [UInt8], start: Int) = ([], 0)
  private let read: Read
  private var partBytes = 0

  /// The maximum length of a part, in bytes: of a box `meta`, an Exif block, an XMP packet.
  static var maxPart: Int { 16 << 20 }
  /// The maximum number of bytes of all parts, also of those that overlap.
  private static var maxBytes: Int { 64 << 20 }

  init(_ beginning: [UInt8], size: Int, _ read: @escaping Read) {
    (self.beginning, self.size, self.read) = (beginning, size, read)
  }

  /// Returns the bytes in a range; fails if it is not within the file or too long.
  mutating func bytes(_ range: Range<Int>) throws(HeaderError<Failure>) -> [UInt8] {
    let start = range.lowerBound
    // The number of small parts is limited, too.
    partBytes += max(range.count, 64)
    guard range.count <= Self.maxPart, partBytes <= Self.maxBytes else {
      throw .content(.limit(at: start, "the header is too large or has too many parts"))
    }
    guard start >= 0, range.upperBound <= size else {
      throw .content(.truncated(at: min(start, size), "the file ends too early"))
    }
    if let part = Self.part(range, of: beginning, at: 0)
      ?? Self.part(range, of: last.bytes, at: last.start)
    {
      return part
    }
    // Small parts often follow each other.
    let count = range.count < 2048 ? max(range.count, min(256, size - start)) : range.count
    do throws(Failure) { last = (try read(start, count), start) } catch { throw .reader(error) }
    guard let part = Self.part(range, of: last.bytes, at: start) else {
      let end = start + last.bytes.count
      throw .content(.truncated(at: end, "the file ends too early"))
    }
    return part
  }

  private static func part(_ range: Range<Int>, of bytes: [UInt8], at start: Int) -> [UInt8]? {
    guard start <= range.lowerBound, range.upperBound <= start + bytes.count else { return nil }
    return Array(bytes[range.lowerBound - start..<range.upperBound - start])
  }

  /// Returns a number of bytes from an offset, fewer at the end of the file.
  mutating func bytes(
    at offset: Int,
    upTo count: Int
  ) throws(HeaderError<Failure>) -> [UInt8] {
    try bytes(min(offset, size)..<min(offset + count, size))
  }

  /// Returns the box at an offset, and bytes from there.
  mutating func box(at offset: Int) throws(HeaderError<Failure>) -> (box: Box, bytes: [UInt8]) {
    let bytes = try bytes(at: offset, upTo: 32)
    do throws(FormatError) {
      return (try Box(header: bytes.span, at: offset, of: size), bytes)
    } catch { throw .content(error) }
  }
}
