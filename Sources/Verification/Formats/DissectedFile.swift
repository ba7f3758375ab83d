internal import FileBytes
internal import ISOBMFF
internal import ImageFormats
internal import ImageOrientation
internal import Upright
internal import XMPPacket

/// A file of a format other than JPEG, taken apart for a comparison.
struct DissectedFile {
  /// The parts, in an order that does not depend on where they are.
  private(set) var parts: [FilePart] = []
  /// The images of a HEIF file.
  private(set) var items: DisplayedItems?
  /// The directories of a TIFF file.
  private(set) var tree: TIFFTree?
  /// The chunks of metadata of a PNG file, from the type to the end of the content; a checksum follows each.
  private(set) var checked: [Range<Int>] = []
  /// The chunk by which Apple's readers find the second half of the image data of a PNG file.
  private(set) var halves: Range<Int>?
  /// What it consists of, such as `9 items`.
  private(set) var summary = ""

  /// Reads a file.
  init(_ bytes: Span<UInt8>, _ format: ImageFormat) throws(FormatError) {
    switch format.structure {
    case .heif: try readHEIF(bytes)
    case .png: try readPNG(bytes)
    case .webp: try readWebP(bytes)
    case .jxl: try readJXL(bytes)
    case .tiff: try readTIFF(bytes)
    default:
      throw .unsupported("\(format.name) files are not compared")
    }
  }

  private mutating func add(
    _ name: String,
    _ range: Range<Int>,
    _ content: FilePart.Content = .bytes
  ) {
    if !range.isEmpty { parts.append(FilePart(name, range, content)) }
  }

  // MARK: HEIF

  /// The maximum length of all items relative to the file.
  private static let maxSharing: Int64 = 8

  private mutating func readHEIF(_ bytes: Span<UInt8>) throws(FormatError) {
    var table: ItemTable?
    var place = 0
    while place < bytes.count {
      let box: Box
      do throws(FormatError) { box = try Box(bytes, at: place, in: 0..<bytes.count) } catch {
        // Phones append bytes that are no boxes.
        guard table != nil else { throw error }
        add("the bytes after the boxes", place..<bytes.count)
        break
      }
      if box.type == "meta", table == nil {
        let own = try ItemTable(box, bytes)
        parts += own.parts
        table = own
      } else {
        add("the box \(box.type)", box.range)
      }
      place = box.range.upperBound
    }
    guard let table else { throw .unsupported("the HEIF file has no box meta") }
    let hasMovie = parts.contains { $0.name == "the box moov" }
    if hasMovie { throw .unsupported("an animation or a video (moov) is not compared") }
    let contents = table.items.values.lazy.compactMap { $0.extents }.joined()
    let sum = contents.reduce(Int64(0)) { $0 + Int64($1.count) }
    guard sum <= Self.maxSharing * Int64(bytes.count) else {
      throw .unsupported("the items of the HEIF file share too many bytes")
    }
    let metadata = Set(metadata(of: table, bytes))
    parts = parts.excluding(metadata.flatMap { table.items[$0]?.extents ?? [] })
    for identifier in table.order {
      guard let item = table.items[identifier] else { continue }
      let name = "item \(identifier) (\(item.type))"
      guard let extents = item.extents else { continue }
      guard metadata.contains(identifier), let range = extents.first else {
        for extent in extents { add(name, extent) }
        continue
      }
      if item.isPacket {
        add(name, range, .packet)
      } else {
        let start = Self.exifStart(range, bytes)
        add(name, range.lowerBound..<start)
        add(name, start..<range.upperBound, .exif)
      }
    }
    items = try DisplayedItems(table, bytes)
    summary = table.order.count == 1 ? "bytes" : "\(table.order.count) items"
  }

  /// Returns the items of metadata whose Orientation may change: each in one piece, of the primary image or of none.
  private func metadata(of table: ItemTable, _ bytes: Span<UInt8>) -> [Int] {
    var others: Set<Int> = []
    for reference in table.references where reference.type == "cdsc" {
      if !reference.targets.contains(table.primary) { others.insert(reference.source) }
    }
    return table.order.filter { identifier in
      guard let item = table.items[identifier], item.isExif || item.isPacket,
        let extents = item.extents, extents.count == 1, !extents[0].isEmpty
      else { return false }
      return !others.contains(identifier)
    }
  }

  /// Returns where the TIFF header is in an Exif item, whose first four bytes count the bytes before it (ISO/IEC
  /// 23008-12, A.2.1); some phones count none although there are some.
  private static func exifStart(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Int {
    let skipped = bytes.uint32(at: range.lowerBound).map { Int(clamping: $0) } ?? 0
    guard skipped < range.count - 4 else { return range.upperBound }
    let start = range.lowerBound + 4 + skipped
    return bytes.hasPrefix("Exif\0\0", at: start) ? min(start + 6, range.upperBound) : start
  }

  // MARK: TIFF

  private mutating func readTIFF(_ bytes: Span<UInt8>) throws(FormatError) {
    guard let tree = try TIFFTree(bytes, in: 0..<bytes.count), let first = tree.pages.first else {
      throw .malformed("the TIFF file has no directory")
    }
    var own: [FilePart] = []
    for (index, page) in tree.pages.enumerated() {
      own.append(
        FilePart("the directory of page \(index + 1)", page.range, .form(tree.form(page, bytes)))
      )
    }
    if let packet = first.first(TIFFTree.packet)?.value, !packet.isEmpty {
      own.append(FilePart("the XMP packet", packet, .packet))
    }
    let rest = [FilePart("the file", 0..<bytes.count)]
    parts = own + rest.excluding(own.map { $0.range })
    self.tree = tree
    summary = tree.pages.count == 1 ? "bytes" : "bytes of \(tree.pages.count) pages"
  }

  // MARK: PNG

  private static let keyword: StaticString = "XML:com.adobe.xmp\0"

  private mutating func readPNG(_ bytes: Span<UInt8>) throws(FormatError) {
    add("the signature", 0..<min(8, bytes.count))
    var (place, count) = (8, 0)
    while place < bytes.count {
      guard let length = bytes.uint32(at: place), let code = bytes.uint32(at: place + 4),
        Int(clamping: length) <= bytes.count - place - 8
      else {
        throw .truncated(at: place, "the PNG file ends within a chunk")
      }
      let type = FourCharacterCode(rawValue: code)
      let content = place + 8..<place + 8 + Int(clamping: length)
      let end = min(content.upperBound + 4, bytes.count)
      let name = "the chunk \(type)"
      if type == "eXIf" {
        let isNamed = bytes.hasPrefix("Exif\0\0", at: content.lowerBound)
        let block = isNamed ? content.dropFirst(6) : content
        add(name, content.lowerBound..<block.lowerBound)
        add(name, block, .exif)
        checked.append(place + 4..<content.upperBound)
      } else if type == "iTXt", let packet = Self.packet(content, bytes) {
        add(name, place + 4..<packet.lowerBound)
        add(name, packet, .packet)
        checked.append(place + 4..<content.upperBound)
      } else {
        add(name, place..<end)
      }
      if type == "iDOT" {
        let distance = bytes.uint32(at: content.lowerBound + 24).map { Int(clamping: $0) } ?? 0
        halves = place..<place + min(distance, bytes.count - place)
      }
      count += 1
      place = end
      if type == "IEND" { break }
    }
    add("the bytes after the chunks", place..<bytes.count)
    summary = "\(count) chunks"
  }

  /// Returns where an XMP packet is in a text chunk that is not compressed (PNG, 11.3.3.4).
  private static func packet(_ content: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int>? {
    let start = content.lowerBound
    guard bytes.hasPrefix(keyword, at: start), content.count > 22,
      bytes.hasPrefix([0, 0], at: start + 18)
    else { return nil }
    var fields = IntegerReader(start + 20..<content.upperBound)
    _ = fields.text(bytes)
    _ = fields.text(bytes)
    return fields.rest.isEmpty ? nil : fields.rest
  }

  // MARK: WebP and JPEG XL

  private mutating func readWebP(_ bytes: Span<UInt8>) throws(FormatError) {
    add("the header", 0..<min(12, bytes.count))
    var (place, count) = (12, 0)
    while place + 8 <= bytes.count, let length = bytes.uint32(at: place + 4, .little),
      Int(clamping: length) <= bytes.count - place - 8
    {
      let type = FourCharacterCode(rawValue: bytes.uint32(at: place) ?? 0)
      let content = place + 8..<place + 8 + Int(clamping: length)
      let end = min(content.upperBound + content.count % 2, bytes.count)
      let name = "the chunk \(type)"
      switch type {
      case "EXIF", "XMP ":
        let isNamed = bytes.hasPrefix("Exif\0\0", at: content.lowerBound)
        let block = isNamed ? content.dropFirst(6) : content
        add(name, place..<block.lowerBound)
        add(name, block, type == "EXIF" ? .exif : .packet)
        add(name, content.upperBound..<end)
      default: add(name, place..<end)
      }
      count += 1
      place = end
    }
    add("the bytes after the chunks", place..<bytes.count)
    summary = "\(count) chunks"
  }

  private mutating func readJXL(_ bytes: Span<UInt8>) throws(FormatError) {
    guard !bytes.hasPrefix([0xFF, 0x0A]) else {
      add("the codestream", 0..<bytes.count)
      summary = "bytes"
      return
    }
    let boxes = try Box.boxes(bytes, in: 0..<bytes.count)
    for box in boxes {
      let name = "the box \(box.type)"
      switch box.type {
      case "Exif":
        let start = Self.exifStart(box.content, bytes)
        add(name, box.range.lowerBound..<start)
        add(name, start..<box.range.upperBound, .exif)
      case "xml ":
        add(name, box.range.lowerBound..<box.content.lowerBound)
        add(name, box.content, .packet)
      default: add(name, box.range)
      }
    }
    summary = "\(boxes.count) boxes"
  }
}
