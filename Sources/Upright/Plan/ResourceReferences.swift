internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// The numbers in Photoshop's image resources and in IPTC that depend on the axes of the image, and their changes.
struct ResourceReferences {
  private let raster: RasterTransform
  private let policy: Options.ResolutionPolicy
  private(set) var edits: [Edit] = []
  private(set) var notes: [Note] = []

  /// Finds the numbers in an image that is transformed.
  init(
    _ header: borrowing Header,
    _ raster: RasterTransform,
    _ policy: Options.ResolutionPolicy,
    _ bytes: Span<UInt8>
  ) {
    (self.raster, self.policy) = (raster, policy)
    for (resources, whole, _) in header.imageResources(bytes) {
      var iptc: (data: Range<Int>, edits: ArraySlice<Edit>)?
      for resource in resources {
        let data = resource.data.clamped(to: whole)
        guard data == resource.data, let motion = Reference.motion(of: resource.number) else {
          continue
        }
        let count = edits.count
        change(data, motion, "photoshop.\(resource.number)", bytes)
        if case .layout = motion, edits.count > count { iptc = (data, edits[count...]) }
      }
      // Editors take IPTC for changed by another program if its digest is wrong.
      if let iptc { updateDigest(resources, iptc.data, iptc.edits, bytes) }
    }
    for block in header.exif {
      for entry in block.entries(.ifd0, ExifTag.iptc) {
        if let data = entry.value { change(data, .layout, "exif.ifd0.iptc", bytes) }
      }
    }
  }

  private mutating func change(
    _ data: Range<Int>,
    _ motion: Reference.Motion,
    _ field: String,
    _ bytes: Span<UInt8>
  ) {
    switch motion {
    case .layout: setLayout(data, field, bytes)
    case .resolution where raster.transform.transposes && data.count >= 16:
      let (x, y) = (bytes.bytes(data.prefix(8)), bytes.bytes(data.dropFirst(8).prefix(8)))
      // The last two bytes give only the unit in which the size is shown.
      guard x.prefix(6) != y.prefix(6) else { return }
      exchange(data.prefix(16), y + x, "Photoshop's resolutions", field)
    case .aspectRatio where raster.transform.transposes && data.count >= 12:
      guard let high = bytes.uint32(at: data.lowerBound + 4),
        let low = bytes.uint32(at: data.lowerBound + 8)
      else { return }
      let ratio = Double(bitPattern: UInt64(high) << 32 | UInt64(low))
      guard ratio.isFinite, ratio > 0, ratio != 1 else { return }
      let new = (1 / ratio).bitPattern
      exchange(
        data.dropFirst(4).prefix(8),
        UInt32(new >> 32).bytes(.big) + UInt32(truncatingIfNeeded: new).bytes(.big),
        "the sides of Photoshop's pixels",
        field
      )
    default: break
    }
  }

  private mutating func exchange(
    _ place: Range<Int>,
    _ new: [UInt8],
    _ name: String,
    _ field: String
  ) {
    guard policy == .follow else {
      return notes.append(.resolutionKept("\(name) differ and are kept"))
    }
    edits.append(Edit(place, with: new, field: Edit.Field(field, new: "exchanged")))
  }

  /// Sets the layout that IPTC gives (Image Orientation, 2:131) to that of the transformed image.
  private mutating func setLayout(_ data: Range<Int>, _ field: String, _ bytes: Span<UInt8>) {
    let (old, new) = (raster.frame.size.layout, raster.transformed.size.layout)
    guard old != new, let place = IPTC.value(of: 131, in: data, bytes), place.count == 1 else {
      return
    }
    let value = bytes[place.lowerBound]
    let known = ["P", "L", "S"].contains { value == UInt8(ascii: $0) }
    guard known, value != new else { return }
    let texts = [value, new].map { String(decoding: [$0], as: UTF8.self) }
    let name = Edit.Field("\(field).image-orientation", old: texts[0], new: texts[1])
    edits.append(Edit(place, with: [new], field: name))
  }

  private mutating func updateDigest(
    _ resources: [ImageResource],
    _ data: Range<Int>,
    _ changes: ArraySlice<Edit>,
    _ bytes: Span<UInt8>
  ) {
    let old = bytes.bytes(data)
    for resource in resources
    where resource.number == ImageResource.iptcDigest
      && resource.data.upperBound <= bytes.count
      && bytes.bytes(resource.data) == MD5.digest(of: old)
    {
      let new = changes.map { $0.moved(by: -data.lowerBound) }.applied(to: old)
      let field = Edit.Field("photoshop.\(resource.number).digest")
      edits.append(Edit(resource.data, with: MD5.digest(of: new), field: field))
    }
  }
}

extension PixelSize {
  /// The layout as IPTC names it: portrait, landscape or square.
  fileprivate var layout: UInt8 {
    width == height
      ? UInt8(ascii: "S") : width < height ? UInt8(ascii: "P") : UInt8(ascii: "L")
  }
}

/// Datasets of IPTC (IPTC-NAA Information Interchange Model 4.2, 1.6).
enum IPTC {
  /// Returns the place of the first dataset of the application record with a number.
  static func value(of number: UInt8, in data: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int>? {
    var position = data.lowerBound
    while position + 5 <= data.upperBound, bytes[position] == 0x1C,
      let length = bytes.uint16(at: position + 3), length < 0x8000
    {
      let value = position + 5..<position + 5 + Int(length)
      guard value.upperBound <= data.upperBound else { return nil }
      if bytes[position + 1] == 2, bytes[position + 2] == number { return value }
      position = value.upperBound
    }
    return nil
  }
}
