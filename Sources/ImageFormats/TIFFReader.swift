internal import JPEGCore

/// Reads the directories of a TIFF, BigTIFF or DNG file (TIFF 6.0, section 2; DNG 1.7).
struct TIFFReader: Sendable {
  private static let maxEntries = 4096
  private static let maxDirectories = 16

  private enum Tag {
    static let subfileType: UInt16 = 0xFE
    static let width: UInt16 = 0x100
    static let height: UInt16 = 0x101
    static let subDirectories: UInt16 = 0x14A
    static let xmp: UInt16 = 0x2BC
    static let dngVersion: UInt16 = 0xC612
  }

  func read(_ file: FileWindow) throws(ReadingStop) -> ImageFacts {
    let header = try file.bytes(at: 0, upTo: 16)
    let order: ByteOrder = header.span.hasPrefix("II") ? .little : .big
    let isBig = header.span.uint16(at: 2, order) == 43
    let form = Form(order: order, isBig: isBig)
    guard let first = form.offset(header.span, at: isBig ? 8 : 4) else {
      throw .failed(.truncated, offset: header.count, "the TIFF file ends within its header")
    }
    let main = try Directory(file, at: first, form)
    var facts = ImageFacts(main[Tag.dngVersion] == nil ? .tiff : .dng)
    facts.tag = try main.integer(ExifTag.orientation, file)
    facts.make = try main.text(ExifTag.make, file)
    facts.model = try main.text(ExifTag.model, file)
    facts.width = try main.length(Tag.width, file)
    facts.height = try main.length(Tag.height, file)
    facts.directory = main.directory
    if let packet = main[Tag.xmp] {
      facts.xmp = [MetadataPart(try file.bytes(packet.value), at: packet.value.lowerBound)]
    }
    // IFD0 of a DNG file usually has a preview.
    for offset in try main.offsets(Tag.subDirectories, file).prefix(Self.maxDirectories)
    where facts.format == .dng {
      let directory = try Directory(file, at: offset, form)
      let (width, height) = try (
        directory.length(Tag.width, file), directory.length(Tag.height, file)
      )
      if try directory.integer(Tag.subfileType, file) ?? 0 == 0, width > 0 {
        (facts.width, facts.height) = (width, height)
      }
    }
    return facts
  }

  /// The byte order and the size of offsets.
  private struct Form {
    var order: ByteOrder
    /// Whether offsets and counts have eight bytes, as in BigTIFF.
    var isBig: Bool

    func offset(_ bytes: Span<UInt8>, at place: Int) -> Int? {
      guard isBig else { return bytes.uint32(at: place, order)?.length }
      guard let first = bytes.uint32(at: place, order),
        let second = bytes.uint32(at: place + 4, order)
      else { return nil }
      let (high, low) = order == .big ? (first, second) : (second, first)
      return Int64(clamping: UInt64(high) << 32 | UInt64(low)).length
    }
  }

  private struct Entry {
    var type: UInt16
    /// Where the value is in the file.
    var value: Range<Int>
  }

  private struct Directory {
    private var entries: [UInt16: Entry] = [:]
    private let form: Form
    /// The directory as it is in the file; nil if it is cut off.
    private(set) var directory: TIFFDirectory?

    init(_ file: FileWindow, at offset: Int, _ form: Form) throws(ReadingStop) {
      self.form = form
      let (countSize, entrySize) = form.isBig ? (8, 20) : (2, 12)
      let head = try file.bytes(offset..<offset + countSize)
      let count =
        (form.isBig ? form.offset(head.span, at: 0) : nil)
        ?? Int(head.span.uint16(at: 0, form.order) ?? 0)
      guard count <= maxEntries else {
        throw .failed(.limit, offset: offset, "a directory has more than \(maxEntries) entries")
      }
      // What is there of a directory that is cut off is read.
      let length = count * entrySize
      let list = try file.bytes(
        at: offset + countSize,
        upTo: length + TIFFDirectory.offsetSize(form.isBig)
      )
      directory = TIFFDirectory(head + list, at: offset, form.order, form.isBig, count: count)
      let bytes = list.span
      let end = min(length, list.count)
      for place in stride(from: 0, to: end - entrySize + 1, by: entrySize) {
        guard let tag = bytes.uint16(at: place, form.order),
          let type = bytes.uint16(at: place + 2, form.order), entries[tag] == nil,
          let size = TIFFReader.size(ofType: type),
          let number = form.offset(bytes, at: place + 4)
        else { continue }
        let inline = form.isBig ? 8 : 4
        guard number <= file.size / size else { continue }
        let length = number * size
        let start =
          length <= inline
          ? offset + countSize + place + 4 + inline
          : form.offset(bytes, at: place + 4 + inline) ?? .max >> 2
        guard start + length <= file.size else { continue }
        entries[tag] = Entry(type: type, value: start..<start + length)
      }
    }

    subscript(_ tag: UInt16) -> Entry? { entries[tag] }

    /// Returns the first element of an integer entry.
    func integer(_ tag: UInt16, _ file: FileWindow) throws(ReadingStop) -> Int64? {
      guard let entry = entries[tag], !entry.value.isEmpty else { return nil }
      let bytes = try file.bytes(entry.value.prefix(8))
      switch entry.type {
      case 1, 6: return Int64(bytes[0])
      case 3, 8: return bytes.span.uint16(at: 0, form.order).map { Int64($0) }
      case 4, 9, 13: return bytes.span.uint32(at: 0, form.order).map { Int64($0) }
      case 16, 18: return form.offset(bytes.span, at: 0).map { Int64($0) }
      default: return nil
      }
    }

    func length(_ tag: UInt16, _ file: FileWindow) throws(ReadingStop) -> Int {
      try integer(tag, file)?.length ?? 0
    }

    /// Returns the offsets of an entry.
    func offsets(_ tag: UInt16, _ file: FileWindow) throws(ReadingStop) -> [Int] {
      guard let entry = entries[tag], [4, 13, 16, 18].contains(entry.type) else { return [] }
      let size = entry.type < 16 ? 4 : 8
      let bytes = try file.bytes(entry.value.prefix(size * maxDirectories))
      var form = form
      form.isBig = size == 8
      var offsets: [Int] = []
      for place in stride(from: 0, to: bytes.count, by: size) {
        if let offset = form.offset(bytes.span, at: place) { offsets.append(offset) }
      }
      return offsets
    }

    /// Returns the text of an entry up to a NUL, without white space at its end; nil if it is empty.
    func text(_ tag: UInt16, _ file: FileWindow) throws(ReadingStop) -> String? {
      guard let entry = entries[tag], entry.type == 2 else { return nil }
      var bytes = try file.bytes(entry.value.prefix(256)).prefix { $0 != 0 }
      while bytes.last == 0x20 { bytes.removeLast() }
      return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns the size of a value of a type, also of the types of BigTIFF.
  static func size(ofType type: UInt16) -> Int? {
    (16...18).contains(type) ? 8 : TIFFBlock.size(ofType: type)
  }
}
