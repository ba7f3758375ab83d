internal import XMPPacket

/// Edits that a program still has to apply to the stored image.
extension XMPBlock {
  /// The note on edits and positions of an image of which only the display changes; nil if there are none.
  ///
  /// Whether they count in the stored or in the displayed image is not described.
  var editsNote: Note? { Self.note(on: Reference.positions(in: self)) }

  /// Returns the note on edits that are kept; nil if there are none.
  static func note(on names: [String]) -> Note? {
    guard !names.isEmpty else { return nil }
    return Note(
      .registeredData,
      "kept, and may not fit the image as it is displayed: " + names.joined(separator: ", ")
    )
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

  /// Whether the settings of Apple's adjustments crop or move the image; the frame that they count in is not published.
  var hasAppleCrop: Bool {
    packet.properties.contains { property in
      guard property.namespace == XMPNamespace.appleAdjustments else { return false }
      return switch property.name {
      case "AffineA", "AffineD": Double(property.value) != 1
      case "AffineB", "AffineC", "AffineX", "AffineY": Double(property.value) != 0
      default: property.name.hasPrefix("Crop") && Double(property.value) != 0
      }
    }
  }

  /// Whether there is the clean part of the image that a watermark of a Xiaomi phone covers, with its place.
  var hasXiaomiPatch: Bool {
    let names = ["<subimage", "<lenswatermark", "<timewatermark"]
    return packet.properties.contains { property in
      property.namespace == XMPNamespace.xiaomiCamera
        && names.contains { property.value.contains(text: $0) }
    }
  }

  /// Whether there are positions of objects, as in photos of Sony.
  var hasObjectPosition: Bool {
    packet.properties.contains { property in
      property.name.hasPrefix("ObjectPos")
        || property.path.last?.name.hasPrefix("ObjectPos") == true
    }
  }
}
