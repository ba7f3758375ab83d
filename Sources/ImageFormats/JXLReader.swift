internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation

/// Reads a JPEG XL file: its codestream header (ISO/IEC 18181-1, Annex D) and its boxes (ISO/IEC 18181-2).
struct JXLReader {
  /// The first box of a file with boxes.
  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// The type of a manifest store in JUMBF (C2PA specification, 11.1.4.2).
  private static let credentials: [UInt8] = [
    0x63, 0x32, 0x70, 0x61, 0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  private var facts = FormatHeader(.jxl)
  /// The beginning of the codestream.
  private var codestream: [UInt8] = []

  /// The codestream's bytes up to the orientation: a signature of 16 bits, a size of up to 68, and five.
  private static let headerLength = 32

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    codestream = try file.bytes(at: 0, upTo: Self.headerLength)
    if codestream.starts(with: Self.signature) {
      codestream = []
      var position = 0
      while position < file.size {
        let box = try file.box(at: position).box
        try read(box, &file)
        position = box.range.upperBound
      }
    }
    do throws(FormatError) { try readHeader() } catch { throw .content(error) }
    return facts
  }

  private mutating func read<Failure>(
    _ box: Box,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    let start = box.content.lowerBound
    switch box.type {
    case "jxlc" where codestream.isEmpty:
      codestream = try file.bytes(box.content.prefix(Self.headerLength))
    // The parts are in the order of the codestream; a number is before each.
    case "jxlp" where codestream.count < Self.headerLength && box.content.count > 4:
      codestream += try file.bytes(box.content.dropFirst(4).prefix(Self.headerLength))
    case "Exif" where box.content.count > 4:
      let content = try file.bytes(box.content)
      if let block = Item.exifRange(in: content) {
        facts.exif.append(MetadataPart(content, block, at: start))
      }
    case "xml ": facts.xmp.append(MetadataPart(try file.bytes(box.content), at: start))
    case "jumb":
      // The first box in it says what it describes.
      let description = try file.bytes(box.content.prefix(24))
      if description.span.hasPrefix(Self.credentials, at: 8) { facts.hasCredentials = true }
    case "brob":
      let type = try file.bytes(box.content.prefix(4))
      for (name, code) in [("Exif", "Exif"), ("XMP", "xml ")] where type.elementsEqual(code.utf8) {
        facts.note(.metadataNotRead, "\(name) is compressed with Brotli, not read")
      }
    default: break
    }
  }

  /// Reads size and orientation (ISO/IEC 18181-1, D.2 and D.3).
  private mutating func readHeader() throws(FormatError) {
    var bits = LeastSignificantBits(bytes: codestream)
    guard codestream.starts(with: [0xFF, 0x0A]) else {
      throw .malformed("the JPEG XL file has no codestream")
    }
    bits.position = 16
    let isSmall = try bits.read(1) == 1
    facts.height = try Self.side(isSmall, &bits)
    let ratios: [(Int64, Int64)] = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let ratio = try bits.read(3)
    if ratio == 0 {
      facts.width = try Self.side(isSmall, &bits)
    } else {
      let (across, down) = ratios[ratio - 1]
      facts.width = (Int64(facts.height) * across / down).length
    }
    // all_default, then extra_fields.
    let hasFields = if try bits.read(1) == 0, try bits.read(1) == 1 { true } else { false }
    facts.stated = Orientation(rawValue: hasFields ? 1 + (try bits.read(3)) : 1)?.transform
  }

  private static func side(
    _ isSmall: Bool,
    _ bits: inout LeastSignificantBits
  ) throws(FormatError) -> Int {
    if isSmall { return 8 * (1 + (try bits.read(5))) }
    let length = [9, 13, 18, 30][try bits.read(2)]
    return 1 + (try bits.read(length))
  }
}
