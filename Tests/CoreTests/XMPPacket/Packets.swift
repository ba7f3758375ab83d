import Fixtures
import XMPPacket

/// Parses a packet that is written as text.
func packet(_ text: String) throws -> XMPPacket {
  try XMPPacket(Array(text.utf8))
}

extension XMPPacket {
  /// The raw text of a range.
  func raw(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The names of a property's path and the positions of its array items.
  func summary(of property: XMPProperty) -> String {
    let steps = property.path.map { $0.index.map { "[\($0)]" } ?? $0.name }
    let leaf = property.index.map { "[\($0)]" } ?? property.name
    return (steps + [leaf]).joined(separator: "/") + "=" + property.value
  }

  /// One line per property.
  var summaries: [String] { properties.map(summary) }
}
