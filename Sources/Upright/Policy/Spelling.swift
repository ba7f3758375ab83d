/// How the names of settings are spelled, as in `on-conflict`, `on_conflict` and `onConflict`.
package enum Spelling: String, CaseIterable, Sendable {
  /// Words with hyphens between them, as in the command, in C and in the service.
  case kebab
  /// Words with underscores between them, as in Python.
  case snake
  /// Words with capitals, as in JavaScript.
  case camel

  /// Returns a name, which has hyphens, in this spelling.
  package func spelled(_ name: String) -> String {
    if self == .kebab { return name }
    var letters: [UInt8] = []
    var isCapital = false
    for letter in name.utf8 {
      if letter == UInt8(ascii: "-") {
        if self == .snake { letters.append(UInt8(ascii: "_")) } else { isCapital = true }
      } else {
        letters.append(isCapital ? letter & ~0x20 : letter)
        isCapital = false
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
