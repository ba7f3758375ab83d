/// What the block says of how a picture was taken.
extension TIFFBlock {
  /// The text of the first entry of a tag, without what follows a NUL and without space at its ends; nil where
  /// it has none.
  package func text(_ directory: Kind, _ tag: UInt16, _ bytes: Span<UInt8>) -> String? {
    range(ofText: tag, in: directory, bytes).map { text($0, bytes) }
  }

  private func text(_ range: Range<Int>, _ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.bytes(range), as: UTF8.self)
  }

  /// Where the text of the first entry of a tag stands; see ``text(_:_:_:)``.
  private func range(
    ofText tag: UInt16,
    in directory: Kind,
    _ bytes: Span<UInt8>
  ) -> Range<Int>? {
    guard let entry = entries.first(where: { $0.tag == tag && $0.directory == directory }),
      entry.type == 2, let value = entry.value
    else { return nil }
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let limit = min(value.upperBound, value.lowerBound + 256)
    var start = value.lowerBound
    while start < limit, isSpace(bytes[start]) { start += 1 }
    var end = start
    while end < limit, bytes[end] != 0 { end += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// Who made the camera and what it is called, the maker once.
  package func camera(_ bytes: Span<UInt8>) -> String? {
    let make = range(ofText: ExifTag.make, in: .ifd0, bytes)
    let model = range(ofText: ExifTag.model, in: .ifd0, bytes)
    guard let make, let model else { return (model ?? make).map { text($0, bytes) } }
    return namesBrand(model, of: make, bytes)
      ? text(model, bytes) : "\(text(make, bytes)) \(text(model, bytes))"
  }

  /// Whether a model's name begins with the first word of its maker's, in capitals or not.
  private func namesBrand(
    _ model: Range<Int>,
    of make: Range<Int>,
    _ bytes: Span<UInt8>
  ) -> Bool {
    func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    for offset in 0..<make.count {
      let letter = bytes[make.lowerBound + offset]
      if letter == 0x20 { return true }
      guard offset < model.count, lowercase(bytes[model.lowerBound + offset]) == lowercase(letter)
      else { return false }
    }
    return true
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
