internal import ISOBMFF
internal import JPEGCore

/// Reads a TIFF, BigTIFF or DNG file (TIFF 6.0, section 2; DNG 1.7).
enum TIFFReader {
  private static let maxDirectories = 16

  private enum Tag {
    static let subfileType: UInt16 = 0xFE
    static let width: UInt16 = 0x100
    static let height: UInt16 = 0x101
    static let subDirectories: UInt16 = 0x14A
    static let xmp: UInt16 = 0x2BC
    static let dngVersion: UInt16 = 0xC612
  }

  static func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> ImageFacts {
    let header = try file.bytes(at: 0, upTo: 16)
    let order: ByteOrder = header.span.hasPrefix("II") ? .little : .big
    let form = TIFFForm(order: order, isBig: header.span.uint16(at: 2, order) == 43)
    guard let first = form.integer(header, at: form.isBig ? 8 : 4, form.offsetSize) else {
      let text = "the TIFF file ends within its header"
      throw .content(.truncated(at: header.count, text))
    }
    let main = try TIFFDirectory(&file, at: first.length, form)
    var facts = ImageFacts(main[Tag.dngVersion] == nil ? .tiff : .dng)
    facts.tag = try main.integers(ExifTag.orientation, &file).first
    facts.make = try main.text(ExifTag.make, &file)
    facts.model = try main.text(ExifTag.model, &file)
    facts.width = try main.integers(Tag.width, &file).first?.length ?? 0
    facts.height = try main.integers(Tag.height, &file).first?.length ?? 0
    facts.directory = main.isWhole ? main : nil
    if let packet = main[Tag.xmp]?.value {
      facts.xmp = [MetadataPart(try file.bytes(packet), at: packet.lowerBound)]
    }
    guard facts.format == .dng else { return facts }
    // IFD0 of a DNG file usually has a preview.
    for offset in try main.integers(Tag.subDirectories, &file, maxCount: maxDirectories) {
      let directory = try TIFFDirectory(&file, at: offset.length, form)
      let width = try directory.integers(Tag.width, &file).first?.length ?? 0
      let height = try directory.integers(Tag.height, &file).first?.length ?? 0
      if try directory.integers(Tag.subfileType, &file).first ?? 0 == 0, width > 0 {
        (facts.width, facts.height) = (width, height)
      }
    }
    return facts
  }
}

/// The byte order of a TIFF file, and the size of its offsets.
struct TIFFForm: Sendable {
  let order: ByteOrder
  /// Whether offsets and counts have eight bytes, as in BigTIFF.
  let isBig: Bool

  var offsetSize: Int { isBig ? 8 : 4 }
  /// The size of a directory's number of entries.
  var countSize: Int { isBig ? 8 : 2 }
  var entrySize: Int { isBig ? 20 : 12 }
  /// The offset of the value in an entry.
  var valueOffset: Int { isBig ? 12 : 8 }

  /// Returns the unsigned integer of a size at a place; nil if it is not within the bytes.
  func integer(_ bytes: [UInt8], at place: Int, _ size: Int) -> Int64? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    let field = bytes[place..<place + size]
    let value = (order == .big ? Array(field) : field.reversed()).reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int64(clamping: value)
  }

  /// Returns the bytes of an integer.
  func bytes(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: Int64(value) >> Int64(8 * $0)) }
    return order == .big ? bytes.reversed() : bytes
  }
}
