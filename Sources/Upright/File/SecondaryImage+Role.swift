internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// What a secondary image is for.
extension SecondaryImage {
  /// Returns the role of an image from its own metadata, the container directory and the multi-picture index, in this
  /// order.
  static func role(
    _ header: Header?,
    type: UInt32?,
    semantic: String?,
    _ bytes: Span<UInt8>
  ) -> EmbeddedImage.Role {
    if let header {
      let segments = header.container.segments(.isoGainMap, in: bytes)
      if segments.contains(where: { $0.payload.count > isoVersionLength }) { return .gainMap }
      for block in header.xmp {
        for property in block.packet.properties {
          if describesGainMap(property) { return .gainMap }
          if property.namespace == XMPNamespace.applePixelDataInfo,
            property.name == "AuxiliaryImageType"
          {
            return appleRole(property.value)
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
    case 0x04_0000?,
      _ where isShownTogether(type: type):
      return .view
    case 0x05_0000?: return .gainMap
    default: return .unknown
    }
  }

  /// The length of the payload of an ISO 21496-1 segment with nothing but its identifier and two version numbers, as that
  /// of an image that has a gain map.
  private static let isoVersionLength = 28 + 4

  /// Returns whether a property is one of a gain map, and not Adobe's version, which an image that has one gives, too.
  private static func describesGainMap(_ property: XMPProperty) -> Bool {
    switch property.namespace {
    case XMPNamespace.gainMap: property.name != "Version"
    case XMPNamespace.appleGainMap: true
    // The items of a list.
    default: property.path.contains { $0.namespace == XMPNamespace.gainMap }
    }
  }

  private static func appleRole(_ type: String) -> EmbeddedImage.Role {
    if type.hasSuffix("hdrgainmap") { return .gainMap }
    if type.hasSuffix("matte") { return .matte }
    if type.contains(text: "depth") || type.contains(text: "disparity") { return .depthMap }
    return .unknown
  }
}
