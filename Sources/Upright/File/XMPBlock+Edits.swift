internal import XMPPacket

/// Edits that a program still has to apply to the stored image.
extension XMPBlock {
  /// Whether a crop or a local correction of Camera Raw, which Lightroom, Bridge and darktable apply, is to be applied; not in files that a raw converter has exported.
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

  /// Whether Photo Mechanic crops the image; its crop counts in a frame that is not published.
  var hasPhotoMechanicCrop: Bool {
    packet.properties.contains {
      $0.namespace == XMPNamespace.photoMechanic && $0.name.hasPrefix("Crop")
        && Double($0.value) != 0 && $0.path.isEmpty
    }
  }

  /// Whether darktable moves or masks parts of the image.
  var hasDarktableGeometry: Bool {
    packet.properties.contains { property in
      guard property.path.contains(where: { $0.namespace == XMPNamespace.darktable }) else {
        return false
      }
      if property.path.contains(where: { $0.name == "masks_history" }) { return true }
      guard property.namespace == XMPNamespace.darktable, property.name == "operation" else {
        return false
      }
      return Self.darktableOperations.contains(property.value)
    }
  }

  private static let darktableOperations: Set<String> = [
    "ashift", "clipping", "crop", "graduatednd", "liquify", "retouch", "spots", "vignette",
  ]

  private func cameraRaw(_ name: String) -> String? {
    own(XMPNamespace.cameraRaw, name).first?.value
  }
}
