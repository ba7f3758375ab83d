extension ExifReference {
  /// Make and model of the camera, such as `Apple iPhone 6`; the model alone if it begins with a word of the make,
  /// such as `NIKON D70` by `NIKON CORPORATION`.
  package var camera: String? {
    let make = tag(0x010F, in: .ifd0)?.ascii
    guard let model = tag(0x0110, in: .ifd0)?.ascii else { return make }
    guard let make else { return model }
    let brand = model.prefix { $0 != " " }.lowercased()
    let repeatsMake = make.lowercased().split(separator: " ").contains { $0 == brand }
    return repeatsMake ? model : make + " " + model
  }

  /// The capture time, such as `2019-07-04 12:33:07.25+02:00`: `DateTimeOriginal` with `SubSecTimeOriginal` and
  /// `OffsetTimeOriginal`, if present.
  ///
  /// nil if the tag is absent, blank or not a date.
  package var captured: String? {
    guard let text = tag(0x9003, in: .exif)?.ascii, var captured = Self.timestamp(text) else {
      return nil
    }
    if let fraction = tag(0x9291, in: .exif)?.ascii, fraction.utf8.allSatisfy(\.isDigit) {
      captured += "." + fraction
    }
    if let offset = tag(0x9011, in: .exif)?.ascii, offset.matches("+00:00") || offset == "Z" {
      captured += offset
    }
    return captured
  }

  /// The position where the image was taken; nil if the GPS directory is incomplete.
  package var position: GeoPosition? {
    GeoPosition(of: self)
  }

  /// Returns `2019-07-04 12:33:07` for Exif's `2019:07:04 12:33:07`; nil for text that is not a date.
  private static func timestamp(_ text: String) -> String? {
    guard text.matches("0000:00:00 00:00:00") else { return nil }
    let numbers = text.split { $0 == ":" || $0 == " " }.compactMap { Int($0) }
    guard numbers.count == 6, 1...12 ~= numbers[1], 1...31 ~= numbers[2], numbers[3] < 24,
      numbers[4] < 60, numbers[5] <= 60
    else { return nil }
    let fields = text.split(separator: " ")
    return fields[0].split(separator: ":").joined(separator: "-") + " " + fields[1]
  }
}

extension String {
  /// Returns whether the text matches `pattern`, in which `0` is a digit and `+` a sign.
  fileprivate func matches(_ pattern: String) -> Bool {
    utf8.count == pattern.utf8.count
      && zip(utf8, pattern.utf8).allSatisfy { byte, shape in
        switch shape {
        case UInt8(ascii: "0"): byte.isDigit
        case UInt8(ascii: "+"): byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        default: byte == shape
        }
      }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
