internal import FileBytes
internal import ISOBMFF

/// Reads the chunks of a WebP file (RFC 9649, 2).
struct WebPReader {
  private var facts = FormatHeader(.webp)
  /// Whether the header announces Exif; nil without the header of the extended format.
  private var announcesExif: Bool?

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    // A file may be longer than RIFF says; what follows is not part of it.
    let end = min(file.size, 8 + Self.length(try file.bytes(0..<8), at: 4))
    var position = 12
    while position + 8 <= end {
      let header = try file.bytes(position..<position + 8)
      let content = position + 8..<position + 8 + Self.length(header, at: 4)
      switch String(decoding: header[..<4], as: UTF8.self) {
      case "VP8X": readExtended(try file.bytes(content.prefix(10)))
      case "VP8 " where facts.width == 0: readLossy(try file.bytes(content.prefix(10)))
      case "VP8L" where facts.width == 0: readLossless(try file.bytes(content.prefix(10)))
      case "EXIF":
        facts.exif.append(MetadataPart(exif: try file.bytes(content), at: content.lowerBound))
      case "XMP ": facts.xmp.append(MetadataPart(try file.bytes(content), at: content.lowerBound))
      case "C2PA": facts.hasCredentials = true
      default: break
      }
      // Chunks have an even length.
      position = content.upperBound + content.count % 2
    }
    guard facts.width > 0 else {
      throw .content(.malformed(at: 12, "the WebP file has no header of an image"))
    }
    if announcesExif != true, !facts.exif.isEmpty {
      facts.note(
        .metadataIgnored,
        "VP8X does not announce the Exif block, so some readers ignore it"
      )
    }
    return facts
  }

  private static func length(_ bytes: [UInt8], at offset: Int) -> Int {
    bytes.span.uint32(at: offset, .little)?.length ?? 0
  }

  private mutating func readExtended(_ bytes: [UInt8]) {
    guard bytes.count == 10 else { return }
    announcesExif = bytes[0] & 0x08 != 0
    facts.width = 1 + (Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16)
    facts.height = 1 + (Int(bytes[7]) | Int(bytes[8]) << 8 | Int(bytes[9]) << 16)
  }

  /// Reads the size from the header of a key frame (RFC 6386, 9.1).
  private mutating func readLossy(_ bytes: [UInt8]) {
    guard bytes.span.hasPrefix([0x9D, 0x01, 0x2A], at: 3),
      let width = bytes.span.uint16(at: 6, .little), let height = bytes.span.uint16(at: 8, .little)
    else { return }
    (facts.width, facts.height) = (Int(width & 0x3FFF), Int(height & 0x3FFF))
  }

  /// Reads the size from the header of a lossless image (RFC 9649, 3.4).
  private mutating func readLossless(_ bytes: [UInt8]) {
    guard bytes.first == 0x2F, let bits = bytes.span.uint32(at: 1, .little) else { return }
    (facts.width, facts.height) = (1 + Int(bits & 0x3FFF), 1 + Int(bits >> 14 & 0x3FFF))
  }
}
