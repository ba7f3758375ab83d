internal import XMPPacket

/// Edits that a program still has to apply to the stored image.
extension XMPBlock {
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

  /// Whether Camera Raw corrects the perspective, by one of its automatic modes (Upright) or by amounts, whose directions are
  /// those of the stored image.
  ///
  /// `UprightTransform_N` is applied in mode N only, and the scale has no direction.
  var hasCameraRawPerspective: Bool {
    cameraRaw("AlreadyApplied") != "True"
      && ["Upright", "Vertical", "Horizontal", "Rotate", "Aspect", "X", "Y"].contains { name in
        cameraRaw("Perspective\(name)").map { Double($0) != 0 } == true
      }
  }

  /// Returns a setting of Camera Raw.
  func cameraRaw(_ name: String) -> String? {
    own(XMPNamespace.cameraRaw, name).first?.value
  }
}
