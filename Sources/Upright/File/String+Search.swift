extension String {
  /// Returns whether the string contains a text, ignoring the case of ASCII letters.
  func contains(text: String) -> Bool {
    let (bytes, part) = (Array(utf8), Array(text.utf8))
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains { start in
      part.indices.allSatisfy { bytes[start + $0].lowercase == part[$0].lowercase }
    }
  }
}

extension UInt8 {
  fileprivate var lowercase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
