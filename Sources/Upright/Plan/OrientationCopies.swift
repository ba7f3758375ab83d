internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The Orientation in other places of a file than Exif's IFD0 and XMP, which some readers find.
///
/// A copy is changed in place. One that cannot be changed so, or whose meaning is not certain, is named by a note.
struct OrientationCopies {
  private let old: Orientation?
  private let new: Orientation
  private(set) var edits: [Edit] = []
  private(set) var notes: [Note] = []

  /// Finds the copies in an image with an orientation, and how they change.
  init(_ header: borrowing Header, to new: Orientation, _ bytes: Span<UInt8>) {
    (old, self.new) = (header.orientation.usable, new)
    for place in header.imageResources(bytes) { find(in: place, bytes) }
    for segment in header.container.leadingSegments
    where segment.marker == .app(12) && segment.kind(in: bytes) == .unknown {
      findRotation(segment.payload, bytes)
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
    notes.append(.orientationKept(in: place, as: value))
  }
}

extension Note {
  /// Returns the note on a copy of Orientation that is kept.
  static func orientationKept(in place: String, as value: String? = nil) -> Note {
    let text =
      value.map { "\(place) is \($0) and is kept" } ?? "the Orientation of \(place) is kept"
    return Note(.orientationCopy, "\(text); readers that apply it rotate the image again")
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
