internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The Orientation in other places of a file than Exif's IFD0 and the XMP packet, which some readers find.
///
/// A copy is changed in place. One that cannot be changed so, or whose meaning is not certain, is named by a note.
struct OrientationCopies {
  private let old: Orientation?
  private let new: Orientation
  private(set) var edits: [Edit] = []
  private(set) var notes: [Note] = []

  /// Finds the copies in an image with an orientation, and how they change.
  init(_ header: Header, to new: Orientation, _ bytes: Span<UInt8>) {
    (old, self.new) = (header.orientation.usable, new)
    for block in header.exif {
      for entry in block.entries(.ifd0, ExifTag.xmp) {
        if let value = entry.value { find(xmp: [value], "XMP in Exif", "exif.ifd0.xmp", bytes) }
      }
    }
    for place in header.imageResources(bytes) { find(in: place, bytes) }
    let leading = Array(header.container.segments.prefix { $0.marker != .startOfScan })
    for segment in leading
    where segment.marker == .app(12) && segment.kind(in: bytes) == .unknown {
      findRotation(segment.payload, bytes)
    }
    let packets = ExtendedXMP.list(leading, bytes)
    var references = packets.map { _ in [(place: Range<Int>, segment: Segment)]() }
    let search = ExtendedXMP.References(to: packets)
    for segment in leading where !packets.isEmpty && segment.kind(in: bytes) == .xmp {
      for (packet, place) in search.find(in: segment, bytes) {
        references[packet].append((place, segment))
      }
    }
    // Parses each packet once.
    var header = header
    for (packet, references) in zip(packets, references) {
      change(packet, references.map { $0.place }, bytes) {
        references.allSatisfy { (try? header.packet($0.segment, bytes)) != nil }
      }
    }
  }

  // MARK: Photoshop

  private mutating func find(
    in found: (resources: [ImageResource], whole: Range<Int>, place: String),
    _ bytes: Span<UInt8>
  ) {
    for resource in found.resources {
      let data = resource.data.clamped(to: found.whole)
      let field = "photoshop.\(resource.number)"
      switch Reference.motion(of: resource.number) {
      case .xmpOrientation:
        find(xmp: [data], "XMP in Photoshop's resources\(found.place)", field, bytes)
      case .exifOrientation:
        guard let block = TIFFBlock(bytes, in: data) else { continue }
        change(block, "Exif in Photoshop's resources\(found.place)", field, bytes)
      default: break
      }
    }
  }

  private mutating func change(
    _ block: TIFFBlock,
    _ place: String,
    _ field: String,
    _ bytes: Span<UInt8>
  ) {
    let own = block.orientationEdits(to: new, bytes)
    let fields = block.fields(bytes)
    let isSafe = own.allSatisfy { !fields.areShared($0.range, isValue: true) }
    guard isSafe, !block.isCut, block.orientationProblem(bytes) == nil else {
      return add(noteOn: place)
    }
    edits += own.map { $0.named("\(field).orientation") }
  }

  // MARK: XMP

  /// Finds the copies in a packet, which may be in several parts.
  private mutating func find(
    xmp parts: [Range<Int>],
    _ place: String,
    _ field: String,
    _ bytes: Span<UInt8>
  ) {
    let content = parts.flatMap { bytes.bytes($0) }
    guard content.span.firstOffset(of: "Orientation", in: content.indices) != nil else { return }
    guard let packet = try? XMPPacket(content) else { return add(noteOn: place) }
    let block = XMPBlock(packet)
    let own = block.edits(block.orientationValues(new)) ?? []
    var (start, rest) = (0, own[...])
    var placed: [Edit] = []
    for part in parts {
      let ending = rest.prefix { $0.range.upperBound <= start + part.count }
      placed += ending.filter { start <= $0.range.lowerBound }.map {
        $0.moved(by: part.lowerBound - start)
      }
      rest = rest.dropFirst(ending.count)
      start += part.count
    }
    guard placed.count == own.count, own.allSatisfy({ $0.shift == 0 }) else {
      return add(noteOn: place)
    }
    edits += placed.map { $0.named("\(field).Orientation") }
  }

  /// Changes extended XMP with the digest that names it, in its segments and in the packet that refers to it.
  ///
  /// `references` are the digest's places in packets, and `areReadable` returns whether these can be read.
  private mutating func change(
    _ packet: ExtendedXMP,
    _ references: [Range<Int>],
    _ bytes: Span<UInt8>,
    areReadable: () -> Bool
  ) {
    let (text, count) = (packet.text(bytes), edits.count)
    find(xmp: packet.parts, "extended XMP", "xmp.extended", bytes)
    // A wrong digest is only a name.
    guard edits.count > count, packet.digest == ExtendedXMP.digest(of: text) else { return }
    let digest = ExtendedXMP.digest(of: packet.text(of: edits[count...], bytes))
    // What cannot be read is copied, and must still find the extended XMP.
    guard areReadable() else {
      edits.removeSubrange(count...)
      return add(noteOn: "extended XMP")
    }
    for place in packet.digests + references {
      let field = Edit.Field("xmp.extended.digest", new: String(decoding: digest, as: UTF8.self))
      edits.append(Edit(place, with: digest, field: field))
    }
  }

  // MARK: Text

  /// Finds the rotation in the text of an old camera's APP12 segment.
  private mutating func findRotation(_ payload: Range<Int>, _ bytes: Span<UInt8>) {
    let name: StaticString = "\nRotation="
    guard let hit = bytes.firstOffset(of: name, in: payload) else { return }
    let start = hit + name.utf8CodeUnitCount
    var end = start
    while end < min(payload.upperBound, start + 4), (0x30...0x39).contains(bytes[end]) { end += 1 }
    let text = String(decoding: bytes.bytes(start..<end), as: UTF8.self)
    guard let degrees = Int(text), degrees != 0 else { return }
    guard degrees == old?.quarters.map({ 90 * $0 }), let quarters = new.quarters,
      "\(90 * quarters)".utf8.count <= text.utf8.count
    else { return add(noteOn: "Rotation in the APP12 segment", as: text) }
    let number = "\(90 * quarters)"
    let padded = String(repeating: "0", count: text.utf8.count - number.utf8.count) + number
    edits.append(
      Edit(
        start..<end,
        with: Array(padded.utf8),
        field: Edit.Field("app12.rotation", old: text, new: padded)
      )
    )
  }

  private mutating func add(noteOn place: String, as value: String? = nil) {
    let text =
      value.map { "\(place) is \($0) and is kept" } ?? "the Orientation of \(place) is kept"
    notes.append(Note(.orientationCopy, "\(text); readers that apply it rotate the image again"))
  }
}

extension ExtendedXMP {
  /// Returns the text after edits of the file, in its order, that keep its length.
  fileprivate func text(of edits: ArraySlice<Edit>, _ bytes: Span<UInt8>) -> [UInt8] {
    parts.flatMap { part in
      let first = edits.partitionPoint { $0.range.upperBound > part.lowerBound }
      let own = edits[first...].prefix { $0.range.lowerBound < part.upperBound }
      return own.map { $0.moved(by: -part.lowerBound) }.applied(to: bytes.bytes(part))
    }
  }
}

extension Orientation {
  /// The number of clockwise rotations by 90° that display an image with this orientation; nil for mirrored ones.
  var quarters: Int? {
    switch self {
    case .up: 0
    case .right: 1
    case .down: 2
    case .left: 3
    default: nil
    }
  }
}

/// Photo Mechanic's rotation of an image.
extension XMPBlock {
  /// Returns the new rotation if it is that of the old orientation.
  func rotationValues(from old: Orientation?, to new: Orientation) -> [XMPValue] {
    guard let before = old?.quarters, let after = new.quarters, before != after else {
      return []
    }
    return rotations.filter { $0.value == "\(before)" }.map {
      XMPValue($0, "\(after)", field: "xmp.photomechanic.Rotation")
    }
  }

  /// Returns the note on a rotation that is not that of the old orientation.
  func rotationNote(from old: Orientation?, to new: Orientation) -> Note? {
    let known = ["0", old?.quarters.map { "\($0)" }]
    let unknown = rotations.first {
      !known.contains($0.value) || $0.value != "0" && new.quarters == nil
    }
    return unknown.map {
      Note(.orientationCopy, "photomechanic:Rotation in XMP is \($0.value) and is kept")
    }
  }

  private var rotations: [XMPProperty] { own(XMPNamespace.photoMechanic, "Rotation") }
}
