internal import FileSystem
internal import SystemPackage

/// Converts between command-line arguments and paths without losing bytes that are not UTF-8.
///
/// The parser works on strings. Bytes that are not UTF-8 pass through it as characters of a private use area,
/// which are converted back to those bytes.
package enum ArgumentPath {
  /// The first of 256 characters that represent bytes.
  private static let firstEscape: UInt32 = 0x10FE00
  private static let escapes = firstEscape..<firstEscape + 256

  /// The arguments of the process, for the parser.
  package static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let raw = unsafe CommandLine.unsafeArgv[index] else { return nil }
      var bytes: [UInt8] = []
      while case let byte = unsafe raw[bytes.count], byte != 0 {
        bytes.append(UInt8(bitPattern: byte))
      }
      return string(bytes)
    }
  }

  /// Returns the path of an argument.
  static func path(_ argument: String) -> FilePath {
    FilePath(bytes: bytes(argument)) ?? FilePath(argument)
  }

  /// Returns the bytes of an argument as they were given.
  static func bytes(_ argument: String) -> [UInt8] {
    argument.unicodeScalars.flatMap { scalar in
      escapes.contains(scalar.value)
        ? [UInt8(scalar.value - firstEscape)] : Array(String(scalar).utf8)
    }
  }

  /// Returns a string that represents some bytes.
  static func string(_ bytes: [UInt8]) -> String {
    if let string = plain(bytes[...]) { return string }
    var string = ""
    var rest = bytes[...]
    while let first = rest.first {
      let length = (1...4).first { plain(rest.prefix($0)) != nil }
      if let length, let character = plain(rest.prefix(length)) {
        string += character
        rest = rest.dropFirst(length)
      } else {
        Unicode.Scalar(firstEscape + UInt32(first)).map { string.unicodeScalars.append($0) }
        rest = rest.dropFirst()
      }
    }
    return string
  }

  /// Returns the bytes as a string if they are UTF-8 without any of the characters that represent bytes, or nil.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let string = String(validating: bytes, as: UTF8.self),
      !string.unicodeScalars.contains(where: { escapes.contains($0.value) })
    else { return nil }
    return string
  }
}
