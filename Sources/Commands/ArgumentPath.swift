internal import FileSystem
internal import SystemPackage

/// Paths and patterns on the command line, with the bytes that they were given with.
///
/// The parser works on strings. Bytes that are not UTF-8 go through it as characters of a private use area, which
/// become those bytes again.
package enum ArgumentPath {
  /// The first of 256 characters that stand for bytes.
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

  /// The path that an argument stands for.
  static func path(_ argument: String) -> FilePath {
    FilePath(bytes: bytes(argument)) ?? FilePath(argument)
  }

  /// The bytes that an argument was given with.
  static func bytes(_ argument: String) -> [UInt8] {
    argument.unicodeScalars.flatMap { scalar in
      escapes.contains(scalar.value)
        ? [UInt8(scalar.value - firstEscape)] : Array(String(scalar).utf8)
    }
  }

  /// A string that stands for some bytes.
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

  /// Bytes that are UTF-8 without any of the characters that stand for bytes.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let string = String(validating: bytes, as: UTF8.self),
      !string.unicodeScalars.contains(where: { escapes.contains($0.value) })
    else { return nil }
    return string
  }
}
