internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// A secondary image: a JPEG image after the primary one (specification, section 5).
struct SecondaryImage {
  let role: EmbeddedImage.Role
  /// Its range from SOI to the end that the index gives, or to EOI.
  let range: Range<Int>
  /// Its header, or nil if it cannot be read.
  let header: Header?
  /// Its index in the container directory.
  var item: Int?
  /// The number of padding bytes after it.
  var padding = 0

  /// The maximum number of images; each may be as long as the file.
  private static let maxCount = 256

  /// Returns the images listed in the multi-picture index or the container directory, in file order.
  ///
  /// Entries that do not point to an image after the primary one are ignored.
  static func find(_ primary: Header, _ bytes: Span<UInt8>) -> [SecondaryImage] {
    let end = primary.container.end
    let index = MultiPictureIndex(primary.container, bytes)
    var items: [(number: Int, item: ContainerDirectory.Item, range: Range<Int>)] = []
    for block in primary.xmp {
      guard let directory = ContainerDirectory(block) else { continue }
      items = directory.ranges(after: end).enumerated().map {
        ($0.offset + 1, $0.element.item, $0.element.range)
      }
      break
    }
    var found: [Int: SecondaryImage] = [:]
    func add(_ range: Range<Int>, type: UInt32?) {
      guard range.lowerBound >= end, range.upperBound <= bytes.count,
        found[range.lowerBound] == nil, found.count < Self.maxCount,
        bytes.uint16(at: range.lowerBound) == 0xFFD8
      else { return }
      let item = items.first { $0.range.lowerBound == range.lowerBound }
      let header = Self.header(range, bytes)
      found[range.lowerBound] = SecondaryImage(
        role: role(header, type: type, semantic: item?.item.semantic, bytes),
        range: range,
        header: header,
        item: item?.number,
        padding: item?.item.padding ?? 0
      )
    }
    for entry in index?.entries.dropFirst() ?? [] where entry.start > 0 {
      add(entry.start..<entry.start + entry.size, type: entry.type)
    }
    for item in items { add(item.range, type: nil) }
    return found.values.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private static func header(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Header? {
    let part = bytes.extracting(0..<range.upperBound)
    guard let container = try? Container(part, at: range.lowerBound), container.isComplete else {
      return nil
    }
    return try? Header(container, part)
  }

  /// Returns the role of an image from its own metadata, the container directory and the multi-picture index, in this
  /// order.
  static func role(
    _ header: Header?,
    type: UInt32?,
    semantic: String?,
    _ bytes: Span<UInt8>
  ) -> EmbeddedImage.Role {
    if let header {
      if !header.container.segments(.isoGainMap, in: bytes).isEmpty { return .gainMap }
      for block in header.xmp {
        for property in block.packet.properties {
          switch property.namespace {
          case XMPNamespace.gainMap, XMPNamespace.appleGainMap: return .gainMap
          case XMPNamespace.applePixelDataInfo where property.name == "AuxiliaryImageType":
            return appleRole(property.value)
          default: break
          }
        }
      }
    }
    switch semantic {
    case "GainMap"?: return .gainMap
    case "Depth"?, "DepthMap"?, "ConfidenceMap"?, "Confidence"?: return .depthMap
    case "Original"?, "Primary"?: return .view
    default: break
    }
    switch type {
    case 0x01_0001?, 0x01_0002?: return .preview
    case 0x02_0001?, 0x02_0002?, 0x02_0003?, 0x04_0000?: return .view
    case 0x05_0000?: return .gainMap
    default: return .unknown
    }
  }

  private static func appleRole(_ type: String) -> EmbeddedImage.Role {
    if type.hasSuffix("hdrgainmap") { return .gainMap }
    if type.hasSuffix("matte") { return .matte }
    if type.contains(text: "depth") || type.contains(text: "disparity") { return .depthMap }
    return .unknown
  }

  /// Returns the transform of the image if the primary one is transformed by `transform`; nil if it is unchanged.
  func transform(with transform: OrientationTransform, of primary: Header) -> OrientationTransform?
  {
    guard let header else { return nil }
    switch role {
    case .gainMap, .depthMap, .matte:
      // Aligned with the primary's pixels; its own Orientation is ignored.
      return transform
    case .preview:
      let own: OrientationTransform
      if header.orientation.stated != nil {
        own = header.transform.then(primary.displayed(transform))
      } else {
        own = primary.transform(ofThumbnail: header.frame.size, with: transform)
      }
      return own == .none ? nil : own
    case .thumbnail, .view, .video, .unknown: return nil
    }
  }
}

extension Header {
  /// Returns the transform of a thumbnail or preview with this image.
  ///
  /// It is that of the image; if the thumbnail's shape shows that it is already upright, only the transform of the
  /// displayed image.
  func transform(
    ofThumbnail size: PixelSize,
    with transform: OrientationTransform
  ) -> OrientationTransform {
    self.transform.transposes && size.isSideways(against: frame.size)
      ? displayed(transform) : transform
  }
}

extension PixelSize {
  /// Returns whether the image has the proportions of the other with width and height swapped.
  ///
  /// Thumbnails may be cropped or padded, so only a clear match counts.
  func isSideways(against other: PixelSize) -> Bool {
    other.shape != nil && isInProportion(to: other.transposed)
  }
}
