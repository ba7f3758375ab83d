internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// A JPEG image after the primary one (specification, section 5).
struct SecondaryImage {
  let role: EmbeddedImage.Role
  /// From SOI to the end that the index gives, or to EOI where nothing gives one.
  let range: Range<Int>
  /// Its header, where it can be read.
  let header: Header?
  /// Its place in the container directory.
  var item: Int?
  /// Bytes after it that belong to it.
  var padding = 0

  /// The most images that are looked at; each may be as long as the file.
  private static let most = 256

  /// The images that a file's multi-picture index or container directory lists, in file order.
  ///
  /// Only what lies after the primary image counts; an index can be wrong, and then lists nothing here.
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
        found[range.lowerBound] == nil, found.count < Self.most,
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

  /// What an image is for, by what it says itself, what the container directory says and what the
  /// multi-picture index says, in this order.
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

  /// How the image is transformed when the primary one is transformed by `transform`; nil when it stays as it is.
  func transform(with transform: OrientationTransform, of primary: Header) -> OrientationTransform?
  {
    guard let header else { return nil }
    switch role {
    case .gainMap, .depthMap, .matte:
      // Tied to the primary's pixels, whatever an Orientation of its own says.
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
  /// How a thumbnail or preview is transformed with this image: like it, but one whose shape shows that it is
  /// upright already only by what is done to what a viewer sees.
  func transform(
    ofThumbnail size: PixelSize,
    with transform: OrientationTransform
  ) -> OrientationTransform {
    self.transform.transposes && size.isSideways(against: frame.size)
      ? displayed(transform) : transform
  }
}

extension PixelSize {
  /// Whether the image has the other's shape transformed by a quarter.
  ///
  /// Thumbnails may be cut or padded to another shape, so anything but a clear match says nothing.
  func isSideways(against other: PixelSize) -> Bool {
    other.shape != nil && isInProportion(to: other.transposed)
  }
}
