package import ImageOrientation

/// The transformative properties of an image, in the order in which they apply (ISO/IEC 23008-12, 6.5).
package struct ImageTransforms: Hashable, Sendable {
  /// Rotations and mirrors.
  package private(set) var orientation = OrientationTransform.none
  /// Whether the image is cropped (`clap`).
  package private(set) var isCropped = false
  /// The width of the transformed image.
  package private(set) var width: Int
  package private(set) var height: Int

  /// More transforms than this have no purpose, and each takes time.
  private static let maxCount = 8

  /// Applies the properties of an item to the size of its image; fails if a crop is not within the image.
  init(_ item: Item, width: Int, height: Int, _ bytes: Span<UInt8>) throws(FormatError) {
    (self.width, self.height) = (width, height)
    var count = 0
    for property in item.properties {
      if let transform = try Self.transform(property, bytes) {
        apply(transform)
      } else if property.type == "clap" {
        var fields = property.fields
        try crop(&fields, bytes, item)
      } else {
        continue
      }
      count += 1
      guard count <= Self.maxCount else {
        throw .limit("item \(item.identifier) has more than \(Self.maxCount) transforms")
      }
    }
  }

  /// Returns the rotation or mirroring of a property, or nil if it is another one.
  private static func transform(
    _ property: Box,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> OrientationTransform? {
    var fields = property.fields
    switch property.type {
    case "irot":
      // The angle is counter-clockwise.
      return rotations[try fields.integer(1, bytes) & 3]
    case "imir": return mirrors[try fields.integer(1, bytes) & 1]
    default: return nil
    }
  }

  /// The rotations by the values of `irot`.
  static let rotations: [OrientationTransform] = [.none, .rotate270, .rotate180, .rotate90]
  /// The mirrors by the values of `imir`.
  static let mirrors: [OrientationTransform] = [.flipVertical, .flipHorizontal]

  /// Returns the rotations and mirrors of an item in the order in which they apply; nil if it has none.
  package static func orientation(
    of item: Item,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> OrientationTransform? {
    var result: OrientationTransform?
    for property in item.properties {
      guard let transform = try transform(property, bytes) else { continue }
      result = (result ?? .none).then(transform)
    }
    return result
  }

  private mutating func apply(_ transform: OrientationTransform) {
    orientation = orientation.then(transform)
    if transform.transposes { (width, height) = (height, width) }
  }

  /// Reads width, height and the offsets of the center, four fractions (ISO/IEC 14496-12, 12.1.4).
  private mutating func crop(
    _ fields: inout FieldCursor,
    _ bytes: Span<UInt8>,
    _ item: Item
  ) throws(FormatError) {
    var fractions: [Double] = []
    for _ in 0..<4 {
      let numerator = try fields.signedInteger(4, bytes)
      let denominator = try fields.signedInteger(4, bytes)
      fractions.append(denominator > 0 ? Double(numerator) / Double(denominator) : .nan)
    }
    guard let width = Self.cropped(width, to: fractions[0], offset: fractions[2]),
      let height = Self.cropped(height, to: fractions[1], offset: fractions[3])
    else {
      throw .malformed("the crop (clap) of item \(item.identifier) is not within its image")
    }
    (self.width, self.height) = (width, height)
    isCropped = true
  }

  /// Returns the length of a cropped side, or nil if it exceeds the side by more than the rounding of a pixel.
  private static func cropped(_ side: Int, to length: Double, offset: Double) -> Int? {
    let start = offset + (Double(side) - length) / 2
    guard length >= 1, start > -1, start + length < Double(side) + 1 else { return nil }
    return Int(length.rounded())
  }
}
