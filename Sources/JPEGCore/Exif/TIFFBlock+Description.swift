/// What the block says of how a picture was taken.
extension TIFFBlock {
  /// The text of the first entry of a tag, without what follows a NUL and without space at its ends; nil where
  /// it has none.
  package func text(_ directory: Kind, _ tag: UInt16, _ bytes: Span<UInt8>) -> String? {
    guard let entry = entries.first(where: { $0.directory == directory && $0.tag == tag }),
      entry.type == 2, let value = entry.value
    else { return nil }
    var text = bytes.bytes(value.lowerBound..<min(value.upperBound, value.lowerBound + 256))
    if let end = text.firstIndex(of: 0) { text.removeSubrange(end...) }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return nil }
    return String(decoding: text[first...last], as: UTF8.self)
  }

  /// Who made the camera and what it is called, the maker once.
  package func camera(_ bytes: Span<UInt8>) -> String? {
    let make = text(.ifd0, ExifTag.make, bytes)
    let model = text(.ifd0, ExifTag.model, bytes)
    guard let make, let model else { return model ?? make }
    let brand = make.prefix { $0 != " " }.lowercased()
    return model.lowercased().hasPrefix(brand) ? model : "\(make) \(model)"
  }

  /// When the picture was taken, by the camera's clock, in the form of ISO 8601; nil where it is not known, or
  /// not written as EXIF asks (Exif 2.32, 4.6.5).
  package func captureTime(_ bytes: Span<UInt8>) -> String? {
    for (tag, offsetTag) in [
      (ExifTag.dateTimeOriginal, ExifTag.offsetTimeOriginal),
      (ExifTag.dateTimeDigitized, ExifTag.offsetTimeDigitized),
    ] {
      guard let text = text(.exif, tag, bytes), var time = Self.time(text) else { continue }
      if let offset = self.text(.exif, offsetTag, bytes), Self.matches(offset, "±00:00") {
        time += offset
      }
      return time
    }
    return nil
  }

  private static func time(_ text: String) -> String? {
    guard matches(text, "0000:00:00 00:00:00"), !text.hasPrefix("0000") else { return nil }
    var bytes = Array(text.utf8)
    (bytes[4], bytes[7], bytes[10]) = (UInt8(ascii: "-"), UInt8(ascii: "-"), UInt8(ascii: "T"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a text has digits where the form has zeros, a sign where it has ±, and else the same characters.
  private static func matches(_ text: String, _ form: String) -> Bool {
    let (text, form) = (text.unicodeScalars, form.unicodeScalars)
    return text.count == form.count
      && zip(text, form).allSatisfy { character, place in
        switch place {
        case "0": ("0"..."9").contains(character)
        case "±": character == "+" || character == "-"
        default: character == place
        }
      }
  }

  /// Whether the block gives a latitude and a longitude.
  package var hasPosition: Bool {
    var hasLatitude = false
    var hasLongitude = false
    for entry in entries where entry.directory == .gps && entry.value != nil && entry.count == 3 {
      if entry.tag == ExifTag.gpsLatitude { hasLatitude = true }
      if entry.tag == ExifTag.gpsLongitude { hasLongitude = true }
    }
    return hasLatitude && hasLongitude
  }
}
