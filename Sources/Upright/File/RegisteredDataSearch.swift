internal import FileBytes
package import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Finds the registered data of a file whose image is transformed or cropped.
///
/// Segments and packets are searched for the bytes that ``Reference/table`` gives; only Photo Sphere XMP is parsed.
package struct RegisteredDataSearch {
  let header: Header
  let transform: OrientationTransform
  let isCropped: Bool
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
    // What needs more of the file comes first, because all is done again when that has been read.
    try search.searchTrailer(photo)
    try search.searchRecords(photo, photo.size ?? photo.bytes.count)
    let trailing = search.found
    search.found = []
    search.searchHeader(&photo)
    let kinds = search.found.map { $0.kind }
    return search.found + trailing.filter { !kinds.contains($0.kind) }
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
  var keepsDisplayedImage: Bool { !isCropped && header.displayed(transform) == .none }

  mutating func add(
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
  func effect(of row: Reference, isFurther: Bool) -> RegisteredData.Effect? {
    switch row.rule {
    case .kept(let effect): effect
    // They would leave a part of the image; where nothing may move, they are not edited.
    case .changed(.edits) where isCropped || isFurther: .misregistered
    case .changed: nil
    }
  }

  var leadingSegments: ArraySlice<Segment> {
    header.container.leadingSegments
  }

  // MARK: Segments

  private mutating func searchSegments(_ bytes: Span<UInt8>) {
    // The rows of this camera's segments without a name, once there is one.
    var unnamed: [Reference]?
    for segment in leadingSegments {
      guard let application = segment.marker.applicationNumber else { continue }
      let place = segment.range.lowerBound
      var isNamed = false
      for row in Reference.rows(in: .segment(application))
      where Self.holds(segment, row.place, bytes) {
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
    _ place: Reference.Place,
    _ bytes: Span<UInt8>
  ) -> Bool {
    let (start, end) = (segment.payload.lowerBound, segment.payload.upperBound)
    return switch place {
    case .segment(_, let mark, let offset): bytes.hasPrefix(mark, at: start + offset)
    case .segmentWhere(_, let mark, let isMeant):
      bytes.hasPrefix(mark, at: start) && isMeant(segment.payload, bytes)
    case .preview: isPreview(segment, bytes)
    case .previewAfter(_, let mark, let offset):
      bytes.hasPrefix(mark, at: start + offset) && containsStream(segment, bytes)
    // The description box, which begins with the type, is first in a JUMBF superbox (ISO/IEC 19566-5).
    case .box(let type):
      segment.kind(in: bytes) == .jumbf
        && bytes.hasPrefix(type, at: start + Segment.boxHeaderLength + 8)
    case .imageResources(let numbers):
      segment.imageResources(bytes).contains { numbers.contains($0.number) }
    case .imageResource(let number, let isMeant):
      segment.imageResources(bytes).contains {
        $0.number == number && $0.data.upperBound <= end && isMeant(bytes, $0.data)
      }
    default: false
    }
  }

  private mutating func searchMakerNotes(_ photo: JPEGPhoto) {
    let thumbnails = photo.thumbnails.map { $0.range }
    let bytes = photo.bytes.span
    for row in Reference.rows(in: .makerNote) {
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
    Reference.rows(in: .unnamedSegment).filter { row in
      guard case .unnamedSegment(_, let make) = row.place else { return false }
      return isMade(by: [make], bytes)
    }
  }

  func isMade(by makes: [StaticString], _ bytes: Span<UInt8>) -> Bool {
    header.exif.contains { block in
      let make = block.text(.ifd0, ExifTag.make, bytes) ?? ""
      return makes.contains { make.hasPrefix("\($0)") }
    }
  }
}
