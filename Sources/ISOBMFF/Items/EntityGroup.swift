/// A group of items or tracks, of a type that says what they have in common (ISO/IEC 14496-12, 8.18).
struct EntityGroup: Hashable, Sendable {
  var type: FourCharacterCode
  /// The identifiers of the items and tracks, in the order of the file.
  var members: [Int] = []

  /// Reads the groups in a box `meta`, of which the boxes are given.
  static func groups(
    _ bytes: Span<UInt8>,
    in boxes: [Box]
  ) throws(FormatError) -> [EntityGroup] {
    guard let list = try boxes.only("grpl") else { return [] }
    var groups: [EntityGroup] = []
    for box in try Box.boxes(bytes, in: list.content) {
      var (_, _, fields) = try box.fullBox(bytes)
      try fields.skip(4)
      var group = EntityGroup(type: box.type)
      for _ in 0..<(try fields.integer(4, bytes)) {
        group.members.append(try fields.integer(4, bytes))
      }
      groups.append(group)
    }
    return groups
  }
}
