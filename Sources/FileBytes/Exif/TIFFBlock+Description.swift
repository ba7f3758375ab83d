/// Camera and capture time of the image.
extension TIFFBlock {
  /// Returns the text of the first entry of a tag, up to a NUL and without white space at its ends; nil if it has
  /// none.
  package func text(_ directory: Kind, _ tag: UInt16, _ bytes: Span<UInt8>) -> String? {
    guard let entry = entry(directory, tag), entry.type == 2, let value = entry.value
    else { return nil }
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let limit = min(value.upperBound, value.lowerBound + 256)
    var start = value.lowerBound
    while start < limit, isSpace(bytes[start]) { start += 1 }
    var end = start
    while end < limit, bytes[end] != 0 { end += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return start < end ? String(decoding: bytes.bytes(start..<end), as: UTF8.self) : nil
  }

  /// Returns make and model of the camera.
  package func camera(_ bytes: Span<UInt8>) -> String? {
    Self.camera(
      make: text(.ifd0, ExifTag.make, bytes),
      model: text(.ifd0, ExifTag.model, bytes)
    )
  }

  /// Returns make and model as one text, without the make if the model begins with its first word.
  package static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let (brand, name) = (make.utf8.span, model.utf8.span)
    for index in brand.indices {
      if brand[index] == UInt8(ascii: " ") { break }
      guard index < name.count, lowercase(brand[index]) == lowercase(name[index]) else {
        return "\(make) \(model)"
      }
    }
    return model
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns the capture time by the camera's clock in the form of ISO 8601; nil if it is unknown, or not in the form
  /// of Exif (Exif 2.32, 4.6.5).
  ///
  /// A fraction of a second and an offset from UTC are accepted after it.
  package func captureTime(_ bytes: Span<UInt8>) -> String? {
    for (tag, offsetTag) in [
      (ExifTag.dateTimeOriginal, ExifTag.offsetTimeOriginal),
      (ExifTag.dateTimeDigitized, ExifTag.offsetTimeDigitized),
    ] {
      guard let text = text(.exif, tag, bytes), let (time, offset) = Self.time(text) else {
        continue
      }
      if !offset.isEmpty { return time + offset }
      let stated = self.text(.exif, offsetTag, bytes).flatMap { Self.isOffset($0) ? $0 : nil }
      return time + (stated ?? "")
    }
    return nil
  }

  /// Returns date and time with the fraction of a second, and the offset from UTC, if present.
  private static func time(_ text: String) -> (String, offset: String)? {
    let form = "0000:00:00 00:00:00"
    var bytes = Array(text.utf8.prefix(form.utf8.count))
    guard matches(bytes, form), !bytes.starts(with: "0000".utf8) else { return nil }
    var rest = Substring(text.utf8.dropFirst(form.utf8.count))
    var fraction = ""
    if rest.first == "." {
      fraction = "." + rest.dropFirst().prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(fraction.utf8.count)
      guard fraction.utf8.count > 1 else { return nil }
    }
    guard rest.isEmpty || isOffset(String(rest)) else { return nil }
    (bytes[4], bytes[7], bytes[10]) = (UInt8(ascii: "-"), UInt8(ascii: "-"), UInt8(ascii: "T"))
    return (String(decoding: bytes, as: UTF8.self) + fraction, String(rest))
  }

  private static func isOffset(_ text: String) -> Bool {
    text == "Z" || matches(Array(text.utf8), "+00:00")
  }

  /// Returns whether a text matches a form: digits for zeros, a sign for the plus, otherwise the same characters.
  private static func matches(_ text: [UInt8], _ form: String) -> Bool {
    text.count == form.utf8.count
      && zip(text, form.utf8).allSatisfy { character, place in
        switch place {
        case UInt8(ascii: "0"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
        case UInt8(ascii: "+"): character == place || character == UInt8(ascii: "-")
        default: character == place
        }
      }
  }

  /// Returns whether the block contains a latitude and a longitude.
  package func hasPosition(_ bytes: Span<UInt8>) -> Bool {
    [ExifTag.gpsLatitude, ExifTag.gpsLongitude].allSatisfy { tag in
      entries(.gps, tag).contains { isCoordinate($0, bytes) }
    }
  }

  /// Returns whether a value is an angle: degrees, minutes and seconds as rationals, with 0/0 for parts that were not
  /// measured; or text that contains a number, as exiftool accepts.
  private func isCoordinate(_ entry: Entry, _ bytes: Span<UInt8>) -> Bool {
    guard let value = entry.value else { return false }
    switch entry.type {
    case 2:
      for index in value {
        if bytes[index] == 0 { return false }
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { return true }
      }
      return false
    case 5, 10:
      // Degrees are required; minutes and seconds may be unknown, but not infinite.
      let parts = rationals(entry, bytes)
      return parts.first?.value != nil
        && parts.dropFirst().allSatisfy { $0.value != nil || $0.isUnknown }
    default: return false
    }
  }
}
