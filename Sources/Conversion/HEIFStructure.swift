package import ImageOrientation
internal import JPEGCore
package import TurboTransform
package import Upright

/// Information from the boxes of a HEIF file (ISO/IEC 14496-12, ISO/IEC 23008-12).
///
/// It contains what libheif does not report. None of it is needed to display the image.
package struct HEIFStructure: Hashable, Sendable {
  /// The transform by the properties of the primary image.
  package private(set) var transform = OrientationTransform.none
  /// Whether the primary image is cropped (`clap`).
  package private(set) var isCropped = false
  /// The chroma sampling of the primary image, or of its first tile.
  package private(set) var sampling = PixelImage.Sampling.halved
  /// Whether there is a track of images or a video (`moov`).
  package private(set) var hasMovie = false
  /// Whether there is a video of a motion photo (`mpvd`).
  package private(set) var hasMotionPhoto = false
  /// Whether there are C2PA content credentials.
  package private(set) var hasContentCredentials = false

  /// Returns whether a file is a HEIF file with images.
  ///
  /// - Parameter beginning: The first bytes; 64 usually suffice.
  /// - Returns: Whether one of its brands is for images.
  package static func isHEIF(_ beginning: [UInt8]) -> Bool {
    guard let box = Box(beginning.span, at: 0, in: 0..<beginning.count, mayBeCut: true),
      box.type == "ftyp"
    else { return false }
    let list = box.content.clamped(to: 0..<beginning.count)
    // The major brand is followed by a version number and the compatible brands.
    return stride(from: list.lowerBound, to: list.upperBound - 3, by: 4).contains {
      imageBrands.contains(beginning.span.fourCharacters(at: $0))
    }
  }

  private static let imageBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
    "heif", "avif", "avis", "miaf", "avci",
  ]

  private static let credentials: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]

  /// Reads the boxes of a file; unreadable boxes are ignored.
  package init(_ file: [UInt8]) {
    let bytes = file.span
    for box in Box.boxes(bytes, in: 0..<file.count) {
      switch box.type {
      case "moov": hasMovie = true
      case "mpvd": hasMotionPhoto = true
      case "uuid":
        if bytes.hasPrefix(Self.credentials, at: box.content.lowerBound) {
          hasContentCredentials = true
        }
      case "meta": readMeta(bytes, box.content)
      default: break
      }
    }
  }

  private mutating func readMeta(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 4 else { return }
    let boxes = Box.boxes(bytes, in: content.lowerBound + 4..<content.upperBound)
    guard let primary = boxes.first(where: { $0.type == "pitm" }),
      let item = Self.primaryItem(bytes, primary.content),
      let properties = boxes.first(where: { $0.type == "iprp" })
    else { return }
    let map = PropertyMap(bytes, properties.content)
    for property in map.properties(of: item, bytes) { apply(property, bytes) }
    // The sampling of a grid is that of its tiles.
    let tile = boxes.first { $0.type == "iref" }.flatMap {
      Self.firstTile(of: item, bytes, $0.content)
    }
    for item in [item, tile].compactMap({ $0 }) {
      for property in map.properties(of: item, bytes) {
        if let sampling = Self.sampling(property, bytes) { self.sampling = sampling }
      }
    }
  }

  /// Applies a property of the primary image; the order matters.
  private mutating func apply(_ property: Box, _ bytes: Span<UInt8>) {
    let place = property.content.lowerBound
    switch property.type {
    case "irot" where !property.content.isEmpty:
      // The angle is counter-clockwise.
      let transforms: [OrientationTransform] = [.none, .rotate270, .rotate180, .rotate90]
      transform = transform.then(transforms[Int(bytes[place] & 3)])
    case "imir" where !property.content.isEmpty:
      transform = transform.then(bytes[place] & 1 == 0 ? .flipVertical : .flipHorizontal)
    case "clap": isCropped = true
    default: break
    }
  }

  /// Returns the ID of the primary item (ISO/IEC 14496-12, 8.11.4).
  private static func primaryItem(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Int? {
    guard content.count >= 6 else { return nil }
    return bytes[content.lowerBound] == 0
      ? bytes.uint16(at: content.lowerBound + 4).map { Int($0) }
      : bytes.uint32(at: content.lowerBound + 4).map { Int($0) }
  }

  /// Returns the first item that another is derived from (ISO/IEC 14496-12, 8.11.12).
  private static func firstTile(
    of item: Int,
    _ bytes: Span<UInt8>,
    _ content: Range<Int>
  ) -> Int? {
    guard content.count >= 4 else { return nil }
    let isWide = bytes[content.lowerBound] > 0
    func number(_ place: Int) -> Int? {
      isWide ? bytes.uint32(at: place).map { Int($0) } : bytes.uint16(at: place).map { Int($0) }
    }
    let size = isWide ? 4 : 2
    for box in Box.boxes(bytes, in: content.lowerBound + 4..<content.upperBound)
    where box.type == "dimg" && box.content.count >= 2 * size + 2 {
      // The two IDs are separated by the number of references.
      if number(box.content.lowerBound) == item { return number(box.content.lowerBound + size + 2) }
    }
    return nil
  }

  /// Returns the sampling in a decoder configuration; nil for other properties.
  private static func sampling(_ property: Box, _ bytes: Span<UInt8>) -> PixelImage.Sampling? {
    let place = property.content.lowerBound
    switch property.type {
    case "hvcC" where property.content.count > 16:
      // ISO/IEC 14496-15, 8.3.3.1.
      return [.grayscale, .halved, .halvedWidth, .full][Int(bytes[place + 16] & 3)]
    case "av1C" where property.content.count > 2:
      // AV1 Codec ISO Media File Format Binding, 2.3.
      let flags = bytes[place + 2]
      if flags & 0x10 != 0 { return .grayscale }
      return flags & 0x08 == 0 ? .full : flags & 0x04 == 0 ? .halvedWidth : .halved
    default: return nil
    }
  }
}

extension UprightError {
  /// The error of a file that is not a HEIF file.
  package static let notHEIFFile = UprightError(
    .notHEIF,
    "not a HEIF file: it does not begin with the ftyp box of an image"
  )
}
