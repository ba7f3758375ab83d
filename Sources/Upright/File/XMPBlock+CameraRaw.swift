internal import XMPPacket

/// The settings of Camera Raw, which Lightroom, Bridge and darktable apply to the stored image.
extension XMPBlock {
  /// Whether a crop or a local correction is to be applied; not in files that a raw converter has exported.
  var hasCameraRawGeometry: Bool {
    guard cameraRaw("AlreadyApplied") != "True" else { return false }
    return hasCameraRawCrop
      || packet.properties.contains { property in
        property.path.contains {
          $0.namespace == XMPNamespace.cameraRaw && Self.corrections.contains($0.name)
        }
          || property.namespace == XMPNamespace.cameraRaw
            && Self.corrections.contains(property.name) && !property.value.isEmpty
      }
  }

  private static let corrections: Set<String> = [
    "RetouchInfo", "RetouchAreas", "RedEyeInfo", "GradientBasedCorrections",
    "CircularGradientBasedCorrections", "PaintBasedCorrections", "MaskGroupBasedCorrections",
  ]

  private var hasCameraRawCrop: Bool {
    guard cameraRaw("HasCrop") == "True" else { return false }
    // A crop of the whole image changes nothing.
    let whole = [
      ("CropTop", 0.0), ("CropLeft", 0), ("CropBottom", 1), ("CropRight", 1), ("CropAngle", 0),
    ]
    return !whole.allSatisfy { name, neutral in
      Double(cameraRaw(name) ?? "\(neutral)") == neutral
    }
  }

  private func cameraRaw(_ name: String) -> String? {
    own(XMPNamespace.cameraRaw, name).first?.value
  }
}
