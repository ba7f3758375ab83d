internal import XMPPacket

/// One kind of data that refers to the stored image: where it is, how it is recognized, and what a rewrite does with it.
///
/// ``table`` lists all kinds; a new kind is an entry there and a fixture.
struct Reference {
  /// The stable identifier.
  let kind: StaticString
  /// The kind as text for people.
  let name: StaticString
  let place: Place
  let rule: Rule

  init(
    _ kind: StaticString,
    _ name: StaticString,
    _ place: Place,
    _ rule: Rule = .kept(.misregistered)
  ) {
    (self.kind, self.name, self.place, self.rule) = (kind, name, place, rule)
  }

  /// What a rewrite does with the data.
  enum Rule {
    /// It is kept, or the file is skipped, depending on what a transform means for it.
    case kept(RegisteredData.Effect)
    /// It is changed in place to describe the transformed image.
    case changed(Motion)
  }

  /// How data follows the image.
  enum Motion {
    /// Exif whose Orientation becomes 1.
    case exifOrientation
    /// An XMP packet whose Orientation becomes 1.
    case xmpOrientation
    /// The number of clockwise rotations by 90° that Orientation also gives; it becomes 0.
    case rotation
    /// The x of a point and the property of its y, as fractions of the image or in pixels, counted from its edges: the center
    /// of the first pixel is at 0.5.
    case point(y: StaticString, isInPixels: Bool)
    /// The x of a difference between two places and the property of its y, in pixels.
    case vector(y: StaticString)
    /// A clockwise angle in degrees in a region, which follows if the region does.
    case angle
    /// The calibration of a lens by DJI.
    case calibration
    /// The layout in IPTC: portrait, landscape or square.
    case layout
    /// Photoshop's two resolutions, which follow `Options.resolution`.
    case resolution
    /// The ratio of a pixel's sides, which follows `Options.resolution`.
    case aspectRatio
    /// ``CameraRawEdits``.
    case edits
  }

  /// A part of a file in which data is looked for.
  enum Part: Hashable {
    /// The APPn segments with this n.
    case segment(UInt8)
    /// The APPn segments that no row for their n recognizes.
    case unnamedSegment
    case makerNote, packet, trailer
  }

  /// Where data is and how it is recognized.
  enum Place {
    /// An APPn segment whose payload has these bytes at an offset.
    case segment(UInt8, StaticString, at: Int = 0)
    /// An APPn segment whose payload begins with these bytes and fulfills a condition.
    case segmentWhere(UInt8, StaticString, @Sendable (Range<Int>, Span<UInt8>) -> Bool)
    /// An APPn segment that no other row recognizes, in a file whose Exif Make is this.
    case unnamedSegment(UInt8, make: StaticString)
    /// An APPn segment that begins with a JPEG stream, or with a short name and a JPEG stream.
    case preview(UInt8)
    /// An APPn segment whose payload has these bytes at an offset and a JPEG stream after them.
    case previewAfter(UInt8, StaticString, at: Int = 0)
    /// A JPEG stream in a MakerNote, or where its fields point within Exif.
    case makerNote
    /// Edits of Nikon's Capture NX in a MakerNote.
    case nikonCapture
    /// A JUMBF box of this type in an APP11 segment.
    case box([UInt8])
    /// Image resources of Photoshop with these numbers.
    case imageResources(ClosedRange<UInt16>)
    /// An image resource of Photoshop with this number and with content.
    case imageResource(UInt16, where: @Sendable (Span<UInt8>, Range<Int>) -> Bool)
    /// A property in XMP or extended XMP of a namespace, given as its URI without the scheme's name.
    case property(StaticString, in: StaticString)
    /// A text in XMP or extended XMP.
    case text(StaticString)
    /// Photo Sphere XMP.
    case panorama
    /// An XMP packet that has this text and fulfills a condition.
    case packet(StaticString, where: @Sendable (XMPBlock) -> Bool)
    /// A block in Samsung's trailer of one of these types, of which the first counts.
    case samsungBlock([UInt16])
    /// Bytes after the image, in a file whose Exif Make is one of these and that does not end with EOI.
    case trailer(StaticString, makes: [StaticString])
    /// A record of a trailer that fulfills a condition.
    case record(Trailers.Kind, where: @Sendable (Span<UInt8>) -> Bool)
    /// The last bytes of the file.
    case end(StaticString)

    var part: Part {
      switch self {
      case .segment(let application, _, _), .segmentWhere(let application, _, _),
        .preview(let application), .previewAfter(let application, _, _):
        .segment(application)
      case .unnamedSegment: .unnamedSegment
      case .makerNote, .nikonCapture: .makerNote
      case .box: .segment(11)
      case .imageResources, .imageResource: .segment(13)
      case .property, .text, .panorama, .packet: .packet
      case .samsungBlock, .trailer, .record, .end: .trailer
      }
    }
  }

  /// The rows of the table by the part of a file in which they are looked for.
  private static let rows = Dictionary(grouping: table) { $0.place.part }

  /// Returns the rows that are looked for in a part of a file, in the order of the table.
  static func rows(in part: Part) -> [Reference] { rows[part] ?? [] }

  /// The numbers in XMP that follow the image: their kind, how they follow, their name and their namespace.
  static let moving: [(kind: String, motion: Motion, name: String, namespace: String)] =
    table.compactMap { row in
      guard case .changed(let motion) = row.rule,
        case .property(let name, let namespace) = row.place
      else { return nil }
      return ("\(row.kind)", motion, "\(name)", "http\(namespace)")
    }

  /// Returns the names of the kinds of positions and edits that a packet has.
  static func positions(in block: XMPBlock, following: Bool = true) -> [String] {
    var names: [String] = []
    for row in table {
      switch row.rule {
      case .kept(.misregistered): break
      case .changed(.edits), .changed(.point), .changed(.vector), .changed(.calibration):
        guard following else { continue }
      case .kept, .changed: continue
      }
      let isFound =
        switch row.place {
        case .property(let name, let namespace):
          !block.packet.properties("http\(namespace)", "\(name)").isEmpty
        case .packet(_, let isMeant): isMeant(block)
        default: false
        }
      if isFound, !names.contains("\(row.name)") { names.append("\(row.name)") }
    }
    return names
  }

  /// The texts of packets with such numbers.
  static let movingMarks: [StaticString] = table.compactMap { row in
    guard case .changed = row.rule else { return nil }
    switch row.place {
    case .property(_, let namespace), .packet(let namespace, _): return namespace
    default: return nil
    }
  }

  /// Returns how the content of an image resource of Photoshop follows the image; nil if it is kept.
  static func motion(of resource: UInt16) -> Motion? {
    for row in table {
      if case .changed(let motion) = row.rule, case .imageResources(let numbers) = row.place,
        numbers.contains(resource)
      {
        return motion
      }
    }
    return nil
  }
}
