internal import FileBytes

/// Edits in trailers whose positions count in the stored image. The layouts are those of exiftool's tables.
extension Trailers {
  /// Returns whether a recipe of Canon's Digital Photo Professional rotates, crops or retouches the image, or is not
  /// known to its end.
  @Sendable static func hasGeometry(canonRecipe bytes: Span<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count {
      guard let type = bytes.uint32(at: position),
        let length = bytes.uint32(at: position + 4)?.length,
        length <= bytes.count - position - 8
      else { return true }
      let start = position + 8
      position = start + length
      guard type == 0xFFFF_00F4 || type == 0xFFFF_00F7 else { continue }
      // The edits are the first of the records.
      guard let size = bytes.uint32(at: start)?.length, size <= length - 4 else { return true }
      let edits = bytes.extracting(start + 4..<start + 4 + size)
      if type == 0xFFFF_00F4 ? hasGeometry(version1: edits) : hasGeometry(version4: edits) {
        return true
      }
    }
    return false
  }

  /// The edits of versions 1 to 3, and the places of numbers in them.
  private static func hasGeometry(version1 bytes: Span<UInt8>) -> Bool {
    let (cropActive, rotation, end) = (0x244, 0x26E, 0x272)
    for place in [cropActive, rotation] where bytes.uint16(at: place) ?? 0 != 0 { return true }
    guard let length = bytes.uint32(at: end)?.length else { return false }
    // The retouched places, then the numbers of version 2.
    if length >= 4, bytes.uint32(at: end + 4) ?? 0 != 0 { return true }
    guard length <= bytes.count - end - 4 else { return true }
    let more = end + 4 + length
    let (angle, circle) = (2 * 0x8B, 2 * 0xD6)
    return bytes.uint32(at: more + angle) ?? 0 != 0 || bytes.uint16(at: more + circle) ?? 0 != 0
  }

  /// The edits of version 4: a directory of numbers.
  private static func hasGeometry(version4 bytes: Span<UInt8>) -> Bool {
    let order: ByteOrder = bytes.hasPrefix("MM") ? .big : .little
    guard let count = bytes.uint32(at: 28, order)?.length, count <= bytes.count / 28 else {
      return true
    }
    for index in 0..<count {
      let entry = 36 + 28 * index
      guard let tag = bytes.uint32(at: entry, order),
        let offset = bytes.uint32(at: entry + 20, order)?.length,
        let length = bytes.uint32(at: entry + 24, order)?.length
      else { return true }
      let first: Int
      switch tag {
      case 0x10002, 0x10003, 0xF0100: first = 0
      // The number of retouched places, and whether dust is removed.
      case 0xF0510, 0xF0511: first = 8
      default: continue
      }
      guard offset <= bytes.count, length <= bytes.count - offset else { return true }
      // The angle is a double.
      let width = tag == 0x10003 ? 8 : 4
      guard first + width <= length else { continue }
      let place = offset + first
      if (place..<place + width).contains(where: { bytes[$0] != 0 }) { return true }
    }
    return false
  }

  /// Returns whether FotoStation's SoftEdit rotates or crops the image.
  @Sendable static func hasGeometry(softEdit bytes: Span<UInt8>) -> Bool {
    func number(_ index: Int) -> UInt32 { bytes.uint32(at: 4 * index) ?? 0 }
    let (rotation, angle) = (number(4), number(11))
    // Left, top, right and bottom in thousandths of a percent.
    let crop = (6...9).map(number)
    return rotation != 0 || angle != 0 || crop != [0, 0, 0, 0] && crop != [0, 0, 100_000, 100_000]
  }

  /// Returns whether Photo Mechanic's edits, which have the form of IPTC, rotate or crop the image.
  @Sendable static func hasGeometry(photoMechanic bytes: Span<UInt8>) -> Bool {
    var values: [UInt8: UInt32] = [:]
    var position = 0
    while bytes.uint16(at: position) == 0x1C02, position + 5 <= bytes.count,
      let length = bytes.uint16(at: position + 3)
    {
      if length == 4 { values[bytes[position + 2]] = bytes.uint32(at: position + 5) }
      position += 5 + Int(length)
    }
    func crop(_ first: UInt8) -> [UInt32] { (first..<first + 4).map { values[$0] ?? 0 } }
    // Fractions of 65,536 in those of raw files and previews.
    let isFraction = [crop(209), crop(236)].contains {
      $0 != [0, 0, 0, 0] && $0 != [0, 0, 65_536, 65_536]
    }
    return values[216] ?? 0 != 0 || isFraction || crop(217) != [0, 0, 0, 0]
  }

  /// Returns whether XMP in a recipe of Canon's has an Orientation or regions.
  @Sendable static func hasPacket(canonRecipe bytes: Span<UInt8>) -> Bool {
    has(["tiff:Orientation", "Area#", "t/Region#"], bytes)
  }

  /// Returns whether MIE, whose elements have names, has the rotation of the camera, the size of the image, or metadata that
  /// may have an Orientation.
  @Sendable static func hasGeometry(mie bytes: Span<UInt8>) -> Bool {
    has(["Rotation", "ImageSize", "EXIF", "XMP"], bytes)
  }

  /// Returns whether IPTC in AFCP has an Image Orientation (2:131) of an image that is not square.
  @Sendable static func hasLayout(fileConcatenation bytes: Span<UInt8>) -> Bool {
    var position = 0
    while let place = bytes.firstOffset(of: "\u{1C}\u{2}", in: position..<bytes.count) {
      position = place + 2
      guard position + 5 <= bytes.count, bytes[position] == 131 else { continue }
      if bytes.uint16(at: position + 1) == 2,
        bytes[position + 4] == 0x50 || bytes[position + 4] == 0x4C
      {
        return true
      }
    }
    return false
  }

  private static func has(_ marks: [StaticString], _ bytes: Span<UInt8>) -> Bool {
    marks.contains { bytes.firstOffset(of: $0, in: 0..<bytes.count) != nil }
  }
}
