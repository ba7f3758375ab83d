internal import FileBytes
internal import Upright

/// What is in a file beside a photo.
struct NeighbourContent: Sendable {
  let bytes: [UInt8]

  /// The content as UTF-8 without a byte order mark; texts in UTF-16 have one.
  var text: [UInt8] { Self.text(of: bytes) }

  /// Returns a text as UTF-8 without a byte order mark.
  static func text(of bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    let order: ByteOrder = isLittle ? .little : .big
    let units = stride(from: 2, to: bytes.count - 1, by: 2).compactMap { index in
      bytes.span.uint16(at: index, order)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  func has(_ text: StaticString) -> Bool {
    let content = self.text
    return content.span.firstOffset(of: text, in: content.indices) != nil
  }

  /// Whether an XMP file has edits of darktable which count in the stored image; one that cannot be read has, if it is of
  /// darktable.
  var isEditOfDarktable: Bool {
    do throws(UprightError) {
      return try Sidecar(bytes).isEdited
    } catch {
      return has("darktable:history")
    }
  }

  /// Whether a profile of RawTherapee or ART crops or rotates the image, or changes a part of it.
  var isEditOfRawTherapee: Bool {
    var section: Substring = ""
    for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard !line.hasPrefix("[") else {
        section = line
        continue
      }
      let isEdit =
        switch section {
        case "[Crop]", "[Spot removal]", "[Spot Removal]", "[Locallab]", "[Gradient]",
          "[Perspective]":
          line == "Enabled=true"
        case "[Rotation]": line.hasPrefix("Degree=") && line != "Degree=0"
        case "[Coarse Transformation]":
          line.hasPrefix("Rotate=") && line != "Rotate=0" || line.hasSuffix("Flip=true")
        default: false
        }
      if isEdit { return true }
    }
    return false
  }

  /// Whether RapidRAW crops, rotates or flips the image, or masks a part of it.
  var isEditOfRapidRAW: Bool {
    let json = text
    func value(_ key: StaticString) -> Substring {
      guard let start = json.span.firstOffset(of: key, in: json.indices) else { return "" }
      let rest = String(decoding: json[(start + key.utf8CodeUnitCount)...], as: UTF8.self)
      return rest.drop { $0.isWhitespace || $0 == ":" }
    }
    let numbers = [value("\"orientationSteps\""), value("\"rotation\"")].map {
      $0.prefix { !",}\n ".contains($0) }
    }
    return value("\"crop\"").hasPrefix("{")
      || numbers.contains { Double($0).map { $0 != 0 } == true }
      || value("\"flipHorizontal\"").hasPrefix("true")
      || value("\"flipVertical\"").hasPrefix("true")
      || value("\"masks\"").dropFirst().first { !$0.isWhitespace } == "{"
  }

  /// Whether it is lines of a class and four or more fractions.
  var isOfYOLO: Bool {
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let first = lines.first else { return false }
    let numbers = first.split(whereSeparator: \.isWhitespace).map { Double($0) }
    return numbers.count >= 5 && numbers.first.map { $0 == $0?.rounded() } == true
      && numbers.dropFirst().allSatisfy { $0.map { (-0.1...1.1).contains($0) } == true }
  }
}
