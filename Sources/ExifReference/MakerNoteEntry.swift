/// One entry of a maker note, for the makers libexif knows.
package struct MakerNoteEntry: Sendable, Hashable {
  /// libexif's short name, such as `FirmwareVersion`; `0x0006` when it knows none.
  package var name: String
  /// The name for people, such as `Firmware Version`; empty when libexif knows none.
  package var title: String
  /// The value for people: trimmed, control characters escaped.
  package var value: String

  package init(name: String, title: String, value: String) {
    self.name = name
    self.title = title
    self.value = value
  }
}
