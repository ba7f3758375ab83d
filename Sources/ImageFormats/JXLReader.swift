internal import ISOBMFF
internal import ImageOrientation
internal import JPEGCore

/// Reads a JPEG XL file: its codestream header (ISO/IEC 18181-1, Annex D) and its boxes (ISO/IEC 18181-2).
struct JXLReader: Sendable {
  /// The first box of a file with boxes.
  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  private var facts = ImageFacts(.jxl)
  private var position = 0
  private var boxes = 0
  /// The beginning of the codestream.
  private var codestream: [UInt8] = []

  /// The codestream's bytes up to the orientation: a signature of 16 bits, a size of up to 68, and five.
  private static let headerLength = 32
  private static let maxBoxes = 100_000

  mutating func read(_ file: FileWindow) throws(ReadingStop) -> ImageFacts {
    let beginning = try file.bytes(at: 0, upTo: Self.headerLength)
    guard beginning.starts(with: Self.signature) else {
      try readHeader(beginning)
      return facts
    }
    while position < file.size {
      let bytes = try file.bytes(at: position, upTo: 16)
      let box: Box
      do throws(BoxError) {
        box = try Box(header: bytes.span, at: position, of: file.size)
      } catch {
        throw .malformed(at: error.offset, error.message)
      }
      guard boxes < Self.maxBoxes else {
        throw .failed(.limit, offset: position, "there are more than \(Self.maxBoxes) boxes")
      }
      try read(box, file)
      boxes += 1
      position = box.range.upperBound
    }
    try readHeader(codestream)
    return facts
  }

  private mutating func read(_ box: Box, _ file: FileWindow) throws(ReadingStop) {
    let start = box.content.lowerBound
    switch box.type {
    case "jxlc" where codestream.isEmpty:
      codestream = try file.bytes(at: start, upTo: min(Self.headerLength, box.content.count))
    // The parts are in the order of the codestream; a number is before each.
    case "jxlp" where codestream.count < Self.headerLength && box.content.count > 4:
      codestream += try file.bytes(
        at: start + 4,
        upTo: min(Self.headerLength, box.content.count - 4)
      )
    case "Exif" where box.content.count > 4:
      let content = try file.bytes(box.content)
      if let block = Item.exifRange(in: content) {
        facts.exif.append(MetadataPart(content, block, at: start))
      }
    case "xml ": facts.xmp.append(MetadataPart(try file.bytes(box.content), at: start))
    case "jumb": facts.hasCredentials = true
    case "brob":
      let type = try file.bytes(at: start, upTo: min(4, box.content.count))
      let name = String(decoding: type, as: UTF8.self).filter { $0 != " " }
      if ["Exif", "xml"].contains(name) {
        facts.notes.append("\(name == "xml" ? "XMP" : name) is compressed with Brotli, not read")
      }
    default: break
    }
  }

  /// Reads size and orientation (ISO/IEC 18181-1, D.2 and D.3).
  private mutating func readHeader(_ bytes: [UInt8]) throws(ReadingStop) {
    var bits = LeastSignificantBits(bytes)
    guard bits.read(16) == 0x0AFF else {
      throw .malformed(at: nil, "the JPEG XL file has no codestream")
    }
    let isSmall = bits.read(1) == 1
    facts.height = Self.side(isSmall, &bits)
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let ratio = bits.read(3)
    if ratio == 0 {
      facts.width = Self.side(isSmall, &bits)
    } else {
      let (across, down) = ratios[ratio - 1]
      facts.width = facts.height * across / down
    }
    // all_default, then extra_fields.
    let hasOrientation = bits.read(1) == 0 && bits.read(1) == 1
    let value = hasOrientation ? bits.read(3) + 1 : 1
    guard !bits.isAtEnd else {
      throw .failed(.truncated, offset: nil, "the JPEG XL codestream ends within its header")
    }
    facts.stated = Orientation(rawValue: value)?.transform
  }

  private static func side(_ isSmall: Bool, _ bits: inout LeastSignificantBits) -> Int {
    if isSmall { return 8 * (1 + bits.read(5)) }
    let lengths = [9, 13, 18, 30]
    return 1 + bits.read(lengths[bits.read(2)])
  }
}

/// Reads bits from the least significant one of each byte.
private struct LeastSignificantBits {
  private let bytes: [UInt8]
  private var place = 0
  /// Whether bits after the end were read, as zeros.
  private(set) var isAtEnd = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int {
    var value = 0
    for index in 0..<count {
      guard place < 8 * bytes.count else {
        isAtEnd = true
        return value
      }
      value |= Int(bytes[place / 8] >> UInt8(place % 8) & 1) << index
      place += 1
    }
    return value
  }
}
