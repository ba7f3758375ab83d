package import SystemPackage

extension FilePath {
  /// The path for people, with control characters and bytes that are not UTF-8 escaped.
  package var escaped: String { string.escaped }
}

extension String {
  /// The text with control characters escaped.
  package var escaped: String {
    // Most texts are printable ASCII.
    guard utf8.contains(where: { !(0x20..<0x7F).contains($0) }),
      unicodeScalars.contains(where: Self.isControl)
    else { return self }
    return unicodeScalars.map { scalar in
      Self.isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}
