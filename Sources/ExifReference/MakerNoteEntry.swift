/// One entry of a maker note, of a maker that libexif supports.
package struct MakerNoteEntry: Sendable, Hashable {
  /// libexif's short name, such as `FirmwareVersion`; `0x0006` if it has none.
  package var name: String
  /// The name for people, such as `Firmware Version`; empty if libexif has none.
  package var title: String
  /// The value for people: trimmed, control characters escaped.
  package var value: String

  package init(name: String, title: String, value: String) {
    self.name = name
    self.title = title
    self.value = value
  }
}
