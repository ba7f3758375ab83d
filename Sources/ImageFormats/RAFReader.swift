internal import FileBytes
internal import ISOBMFF

/// Reads a Fujifilm raw file: the JPEG image in it, which has the metadata, and the directory of the raw data.
struct RAFReader {
  static let signature: StaticString = "FUJIFILMCCD-RAW "

  private var facts = FormatHeader(.raf)

  /// The maximum number of segments of the JPEG image, and of entries of the directory, that are read.
  private static let maxParts = 256

  private enum Tag {
    static let croppedSize: UInt16 = 0x0111
    static let fullSize: UInt16 = 0x0100
  }

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    // The offset and length of the JPEG image, then of the directory.
    let header = try file.bytes(84..<100)
    func number(_ offset: Int) -> Int { header.span.uint32(at: offset)?.length ?? 0 }
    try readImage(number(0)..<number(0) + number(4), &file)
    do throws(HeaderError<Failure>) { try readDirectory(at: number(8), &file) } catch {
      // The orientation does not depend on the size.
      guard case .content = error else { throw error }
      facts.note(.imageNotRead, "the size of the raw image cannot be read")
    }
    return facts
  }

  /// Reads the metadata of the JPEG image.
  private mutating func readImage<Failure>(
    _ image: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    let beginning = try file.bytes(at: image.lowerBound, upTo: 2)
    guard beginning.span.uint16(at: 0) == 0xFFD8 else {
      let text = "the RAF file has no JPEG image, which has its metadata"
      throw .content(.malformed(at: min(image.lowerBound, file.size), text))
    }
    var position = image.lowerBound + 2
    for _ in 0..<Self.maxParts {
      let head = try file.bytes(position..<position + 4)
      guard let marker = head.span.uint16(at: 0), (0xFFC0...0xFFFE).contains(marker),
        marker != 0xFFDA, let length = head.span.uint16(at: 2), length >= 2
      else { return }
      let payload = position + 4..<position + 2 + Int(length)
      if marker == 0xFFE1 {
        let content = try file.bytes(payload)
        if content.starts(with: Self.exif) {
          facts.exif.append(MetadataPart(exif: content, at: payload.lowerBound))
        } else if content.starts(with: Self.xmp) {
          let range = Self.xmp.count..<content.count
          facts.xmp.append(MetadataPart(content, range, at: payload.lowerBound))
        }
      }
      position = payload.upperBound
    }
  }

  private static let exif = Array("Exif\0\0".utf8)
  private static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  private mutating func readDirectory<Failure>(
    at start: Int,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    let head = try file.bytes(start..<start + 4)
    let count = head.span.uint32(at: 0)?.length ?? 0
    var position = start + 4
    for _ in 0..<min(count, Self.maxParts) {
      let entry = try file.bytes(position..<position + 4)
      let length = Int(entry.span.uint16(at: 2) ?? 0)
      switch entry.span.uint16(at: 0) {
      case Tag.croppedSize: try readSize(position + 4..<position + 8, &file)
      case Tag.fullSize where facts.width == 0: try readSize(position + 4..<position + 8, &file)
      default: break
      }
      position += 4 + length
    }
  }

  private mutating func readSize<Failure>(
    _ range: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    let value = try file.bytes(range)
    facts.height = Int(value.span.uint16(at: 0) ?? 0)
    facts.width = Int(value.span.uint16(at: 2) ?? 0)
  }
}
