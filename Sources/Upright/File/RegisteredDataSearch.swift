internal import FileBytes
package import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Finds the registered data of a file whose image is transformed or cropped.
///
/// Segments and packets are searched for the bytes that ``Reference/table`` gives; only Photo Sphere XMP is parsed.
package struct RegisteredDataSearch {
  private let header: Header
  private let transform: OrientationTransform
  private let isCropped: Bool
  private var found: [RegisteredData] = []

  package static func find(
    in photo: inout JPEGPhoto,
    transform: OrientationTransform,
    isCropped: Bool
  ) throws(Photo.Need) -> [RegisteredData] {
    var search = RegisteredDataSearch(
      header: photo.header,
      transform: transform,
      isCropped: isCropped
    )
    search.searchHeader(&photo)
    try search.searchTrailer(photo)
    try search.searchRecords(photo, photo.size ?? photo.bytes.count)
    return search.found
  }

  /// Returns the data in the segments of one view of several, which is transformed.
  package static func find(
    inView header: Header,
    _ file: [UInt8],
    transform: OrientationTransform
  ) -> [RegisteredData] {
    var photo = JPEGPhoto(file, size: file.count, header)
    var search = RegisteredDataSearch(header: header, transform: transform, isCropped: false)
    search.searchHeader(&photo)
    return search.found
  }

  private mutating func searchHeader(_ photo: inout JPEGPhoto) {
    searchSegments(photo.bytes.span)
    searchMakerNotes(photo)
    searchXMP(&photo)
  }

  /// Returns whether a property of XMP is one that a search looks for, or is of a namespace whose packets it reads.
  package static func looks(for name: String, in namespace: String) -> Bool {
    sought.contains {
      ($0.name == nil || $0.name == name) && namespace.contains(text: $0.namespace)
    }
  }

  private struct Sought {
    /// The name of a property; nil for all of the namespace.
    var name: String?
    var namespace: String
  }

  /// The properties that a search looks for.
  private static let sought: [Sought] = Reference.table.flatMap { row -> [Sought] in
    switch row.place {
    case .property(let name, let namespace):
      var names = ["\(name)"]
      if case .changed(.point(let y, _)) = row.rule { names.append("\(y)") }
      return names.map { Sought(name: $0, namespace: "\(namespace)") }
    case .packet(let mark, _), .text(let mark):
      return "\(mark)".hasPrefix("://") ? [Sought(name: nil, namespace: "\(mark)")] : []
    default: return []
    }
  }

  /// Whether the displayed image stays as it is.
  private var keepsDisplayedImage: Bool { !isCropped && header.displayed(transform) == .none }

  private mutating func add(
    _ row: Reference,
    at offset: Int,
    _ effect: RegisteredData.Effect? = nil,
    isFurther: Bool = false
  ) {
    guard let usual = self.effect(of: row, isFurther: isFurther),
      !found.contains(where: { $0.kind == "\(row.kind)" })
    else { return }
    found.append(
      RegisteredData(
        kind: "\(row.kind)",
        name: "\(row.name)",
        effect: effect ?? usual,
        offset: offset
      )
    )
  }

  /// Returns the usual effect on data of a kind; nil if it follows the image.
  private func effect(of row: Reference, isFurther: Bool) -> RegisteredData.Effect? {
    switch row.rule {
    case .kept(let effect): effect
    // They would leave a part of the image; where nothing may move, they are not edited.
    case .changed(.edits) where isCropped || isFurther: .misregistered
    case .changed: nil
    }
  }

  private var leadingSegments: ArraySlice<Segment> {
    header.container.segments.prefix { $0.marker != .startOfScan }
  }

  // MARK: Segments

  private mutating func searchSegments(_ bytes: Span<UInt8>) {
    // The rows of this camera's segments without a name, once there is one.
    var unnamed: [Reference]?
    for segment in leadingSegments {
      guard let application = segment.marker.applicationNumber else { continue }
      let place = segment.range.lowerBound
      var isNamed = false
      for row in Reference.table where Self.holds(segment, application, row.place, bytes) {
        isNamed = true
        add(row, at: place)
      }
      guard !isNamed else { continue }
      let rows = unnamed ?? unnamedSegments(bytes)
      unnamed = rows
      for row in rows {
        if case .unnamedSegment(application, _) = row.place { add(row, at: place) }
      }
    }
  }

  private static func holds(
    _ segment: Segment,
    _ application: UInt8,
    _ place: Reference.Place,
    _ bytes: Span<UInt8>
  ) -> Bool {
    let (start, end) = (segment.payload.lowerBound, segment.payload.upperBound)
    return switch place {
    case .segment(application, let mark, let offset): bytes.hasPrefix(mark, at: start + offset)
    case .segmentWhere(application, let mark, let isMeant):
      bytes.hasPrefix(mark, at: start) && isMeant(segment.payload, bytes)
    case .preview(application): isPreview(segment, bytes)
    case .previewAfter(application, let mark, let offset):
      bytes.hasPrefix(mark, at: start + offset) && containsStream(segment, bytes)
    // The description box, which begins with the type, is first in a JUMBF superbox (ISO/IEC 19566-5).
    case .box(let type):
      application == 11 && segment.kind(in: bytes) == .jumbf
        && bytes.hasPrefix(type, at: start + Segment.boxHeaderLength + 8)
    case .imageResources(let numbers):
      application == 13 && segment.imageResources(bytes).contains { numbers.contains($0.number) }
    case .imageResource(let number, let isMeant):
      application == 13
        && segment.imageResources(bytes).contains {
          $0.number == number && $0.data.upperBound <= end && isMeant(bytes, $0.data)
        }
    default: false
    }
  }

  private mutating func searchMakerNotes(_ photo: JPEGPhoto) {
    let thumbnails = photo.thumbnails.map { $0.range }
    let bytes = photo.bytes.span
    for row in Reference.table {
      for block in header.exif {
        switch row.place {
        case .makerNote:
          if let offset = block.makerNotePreview(besides: thumbnails, bytes) {
            add(row, at: offset)
          }
        case .nikonCapture:
          guard let place = NikonCapture.place(in: block, bytes),
            NikonCapture.hasGeometry(place, bytes)
          else { continue }
          add(row, at: place.lowerBound)
        default: break
        }
      }
    }
  }

  /// Returns whether a JPEG stream begins with DQT at the start of a payload or after a name of four bytes and NUL.
  private static func isPreview(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    let payload = segment.payload
    return [0, 4, 5].contains {
      payload.count > $0 + 4 && bytes.uint32(at: payload.lowerBound + $0) == 0xFFD8_FFDB
    }
  }

  /// Returns whether the first marker of a JPEG stream, and a marker after it, are in a payload.
  private static func containsStream(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    segment.payload.dropLast(min(segment.payload.count, 3)).contains { place in
      guard let mark = bytes.uint32(at: place) else { return false }
      return mark >> 8 == 0xFFD8FF && mark & 0xFF >= 0xC0 && mark & 0xFF < 0xFF
    }
  }

  /// Returns the rows of segments without a name that cameras of this make write.
  private func unnamedSegments(_ bytes: Span<UInt8>) -> [Reference] {
    Reference.table.filter { row in
      guard case .unnamedSegment(_, let make) = row.place else { return false }
      return isMade(by: [make], bytes)
    }
  }

  private func isMade(by makes: [StaticString], _ bytes: Span<UInt8>) -> Bool {
    header.exif.contains { block in
      let make = block.text(.ifd0, ExifTag.make, bytes) ?? ""
      return makes.contains { make.hasPrefix("\($0)") }
    }
  }

  // MARK: XMP

  private mutating func searchXMP(_ photo: inout JPEGPhoto) {
    let file = photo.bytes
    let bytes = file.span
    for segment in leadingSegments where segment.kind(in: bytes) == .xmp {
      let text = segment.payload.dropFirst(Segment.identifierLength(.xmp))
      searchXMP(bytes.bytes(text).span, of: segment.range.lowerBound) { photo.packet(segment) }
    }
    for packet in header.furtherXMP(bytes) {
      let text = packet.text(bytes)
      searchXMP(text.span, of: packet.parts.first?.lowerBound ?? 0, isFurther: true) {
        packet.block ?? (try? XMPPacket(text)).map { XMPBlock($0) }
      }
    }
  }

  private mutating func searchXMP(
    _ text: Span<UInt8>,
    of offset: Int,
    isFurther: Bool = false,
    _ packet: () -> XMPBlock?
  ) {
    // A search of the whole text for each kind.
    for row in Reference.table where effect(of: row, isFurther: isFurther) != nil {
      switch row.place {
      case .property(let name, let namespace) where Self.has(name, of: namespace, text):
        add(row, at: offset)
      case .text(let mark) where text.firstOffset(of: mark, in: 0..<text.count) != nil:
        add(row, at: offset)
      // Some programs place the image without a projection.
      case .panorama
      where Self.has("ProjectionType", of: "://ns.google.com/photos/1.0/panorama/", text)
        || Self.has("CroppedAreaLeftPixels", of: "://ns.google.com/photos/1.0/panorama/", text):
        add(row, at: offset, fitsTransformedImage(packet) ? .independent : nil)
      case .packet(let mark, let isMeant)
      where text.firstOffset(of: mark, in: 0..<text.count) != nil
        && packet().map(isMeant) == true:
        add(row, at: offset, isFurther: isFurther)
      default: break
      }
    }
  }

  /// Returns whether a text has a property, with any prefix that it declares for the namespace.
  private static func has(
    _ name: StaticString,
    of namespace: StaticString,
    _ text: Span<UInt8>
  ) -> Bool {
    let prefixes = prefixes(of: namespace, text)
    guard !prefixes.isEmpty else { return false }
    let lengths = Set(prefixes.map { $0.count })
    var place = 0
    while let colon = text.firstOffset(of: ":", in: place..<text.count) {
      // No prefix contains a colon.
      let longest = colon - place
      place = colon + 1
      let end = place + name.utf8CodeUnitCount
      guard text.hasPrefix(name, at: place), end < text.count,
        lengths.contains(where: {
          $0 <= longest && prefixes.contains(text.bytes(colon - $0..<colon))
        })
      else { continue }
      switch text[end] {
      case UInt8(ascii: "="), UInt8(ascii: ">"), 0x20, 0x0A, 0x0D, 0x09: return true
      default: continue
      }
    }
    return false
  }

  /// Returns the prefixes that a text declares for a namespace.
  private static func prefixes(of namespace: StaticString, _ text: Span<UInt8>) -> Set<[UInt8]> {
    var prefixes: Set<[UInt8]> = []
    var position = 0
    while let uri = text.firstOffset(of: namespace, in: position..<text.count) {
      position = uri + namespace.utf8CodeUnitCount
      if let prefix = prefix(declaredBefore: uri, text) { prefixes.insert(prefix) }
    }
    return prefixes
  }

  /// The maximum length of a declaration before its URI.
  private static let maxDeclaration = 128

  /// Returns the prefix of `xmlns:PREFIX="http` that ends at an offset.
  private static func prefix(declaredBefore offset: Int, _ text: Span<UInt8>) -> [UInt8]? {
    let start = max(0, offset - maxDeclaration)
    var position = offset - 1
    func skip(while isSkipped: (UInt8) -> Bool) {
      while position >= start, isSkipped(text[position]) { position -= 1 }
    }
    skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "<") }
    position -= 1
    skip { $0 == UInt8(ascii: "=") || $0 <= 0x20 }
    let end = position + 1
    skip { $0 != UInt8(ascii: ":") && $0 > 0x20 }
    guard position >= start, end - position > 1, text[position] == UInt8(ascii: ":") else {
      return nil
    }
    return text.bytes(position + 1..<end)
  }

  /// Returns whether Photo Sphere XMP describes the transformed image, too: it gives the proportions of the displayed image
  /// and not those of the stored one, or a whole sphere, which has the same edges upside down and mirrored.
  private func fitsTransformedImage(_ packet: () -> XMPBlock?) -> Bool {
    guard !isCropped, let panorama = packet()?.panorama else { return false }
    let size = StatedSize(header.frame.size)
    guard transform.transposes else {
      return panorama.isWholeSphere && panorama.full.isInProportion(to: size)
    }
    guard keepsDisplayedImage, header.frame.size.shape != nil else { return false }
    return panorama.cropped.isInProportion(to: size.transposed)
  }

  // MARK: After the image

  private mutating func searchTrailer(_ photo: JPEGPhoto) throws(Photo.Need) {
    let size = photo.size ?? photo.bytes.count
    let start = max(header.container.end, size - Self.tailLength)
    guard start < size else { return }
    let tail = try photo.read(start, size - start)
    let endsWithEOI = tail.suffix(2) == [0xFF, 0xD9]
    let blocks = try samsungBlocks(size, tail, photo)
    for row in Reference.table {
      switch row.place {
      case .end(let mark)
      where tail.span.hasPrefix(mark, at: tail.count - mark.utf8CodeUnitCount):
        add(row, at: size - mark.utf8CodeUnitCount)
      case .samsungBlock(let types):
        for type in types {
          if let block = blocks.first(where: { $0.type == type }) { add(row, at: block.offset) }
        }
      case .trailer(let mark, let makes) where !endsWithEOI && isMade(by: makes, photo.bytes.span):
        if let offset = try photo.offset(of: mark, in: header.container.end..<size) {
          add(row, at: offset)
        }
      default: break
      }
    }
  }

  /// Searches the records of trailers for edits.
  private mutating func searchRecords(_ photo: JPEGPhoto, _ size: Int) throws(Photo.Need) {
    let trailers = try Trailers(in: min(header.container.end, size)..<size) {
      (offset, count) throws(Photo.Need) in try photo.read(offset, count)
    }
    for record in trailers.records {
      // Longer ones have previews after the edits.
      let content = try photo.read(
        record.content.lowerBound,
        min(record.content.count, Self.maxRecord)
      )
      for row in Reference.table {
        guard case .record(record.kind, let isMeant) = row.place, isMeant(content.span) else {
          continue
        }
        add(row, at: record.content.lowerBound)
      }
    }
  }

  /// The maximum number of bytes of a trailer's record that are read.
  private static let maxRecord = 16 << 20
  /// The number of bytes at the end of a file that are read to recognize its trailer.
  private static let tailLength = 64

  /// Returns the type and the offset of each block in Samsung's trailer.
  ///
  /// The directory, from SEFH to its length and SEFT, ends the file, except for a block whose length and name are before
  /// its end, too.
  private func samsungBlocks(
    _ size: Int,
    _ tail: [UInt8],
    _ photo: JPEGPhoto
  ) throws(Photo.Need) -> [(type: UInt16, offset: Int)] {
    var end = size - (tail.suffix(6) == Array("QDIOBS".utf8) ? 2 : 0)
    guard tail.suffix(4) == Array("SEFT".utf8) || end < size else { return [] }
    for _ in 0..<4 {
      guard end - 8 > header.container.end else { return [] }
      let footer = try photo.read(end - 8, 8)
      guard let length = footer.span.uint32(at: 0, .little), (4..<0x10000).contains(length),
        end - 8 - Int(length) > header.container.end
      else { return [] }
      let start = end - 8 - Int(length)
      guard footer.span.hasPrefix("SEFT", at: 4) else {
        end = start
        continue
      }
      let directory = try photo.read(start, Int(length))
      return Self.samsungBlocks(directory.span, start)
    }
    return []
  }

  private static func samsungBlocks(
    _ directory: Span<UInt8>,
    _ start: Int
  ) -> [(type: UInt16, offset: Int)] {
    guard directory.hasPrefix("SEFH"), let count = directory.uint32(at: 8, .little) else {
      return []
    }
    var blocks: [(type: UInt16, offset: Int)] = []
    for number in 0..<min(count.length, directory.count / 12) {
      let entry = 12 + 12 * number
      guard let type = directory.uint16(at: entry + 2, .little),
        let distance = directory.uint32(at: entry + 4, .little)?.length, distance <= start
      else { break }
      blocks.append((type, start - distance))
    }
    return blocks
  }
}
