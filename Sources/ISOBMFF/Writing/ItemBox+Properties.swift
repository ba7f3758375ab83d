internal import FileBytes
internal import ImageOrientation

/// The edits of `irot` and `imir` (ISO/IEC 23008-12, 6.5.10 and 6.5.12) and of their associations.
extension ItemBox {
  private static let transforms: Set<FourCharacterCode> = ["irot", "imir"]

  /// Returns the edits that replace the values of the items' properties; nil if they have not those that the transforms
  /// need, each the same ones, or share them with other items.
  func valueEdits(
    _ transforms: [Int: OrientationTransform],
    _ properties: ItemProperties
  ) -> [Edit]? {
    var values: [Int: UInt8] = [:]
    var kinds: Set<[FourCharacterCode]> = []
    for (item, transform) in transforms {
      guard let association = properties.associations[item] else { return nil }
      let own = association.entries.map { $0.index }.filter {
        Self.transforms.contains(properties.all[$0 - 1].type)
      }
      let types = own.map { properties.all[$0 - 1].type }
      // Readers compare the values of images that belong together.
      kinds.insert(types)
      guard kinds.count == 1, types != ["imir", "irot"],
        let new = Self.values(of: types, for: transform)
      else { return nil }
      for (index, value) in zip(own, new) {
        guard values.updateValue(value, forKey: index) ?? value == value,
          properties.all[index - 1].content.count == 1
        else { return nil }
      }
    }
    let others = properties.associations.filter { transforms[$0.key] == nil }
    guard !others.values.contains(where: { $0.entries.contains { values[$0.index] != nil } }) else {
      return nil
    }
    return values.ordered { $0.key }.compactMap { index, value in
      let property = properties.all[index - 1]
      guard bytes[property.content.lowerBound] != value else { return nil }
      return edit(property.content, [value], "heif.\(property.type)", "\(value)")
    }
  }

  /// Returns the values of properties that transform an image so, in the order in which they apply; nil if there are
  /// none.
  private static func values(
    of types: [FourCharacterCode],
    for transform: OrientationTransform
  ) -> [UInt8]? {
    for (angle, rotation) in ImageTransforms.rotations.enumerated() {
      for (axis, mirror) in ImageTransforms.mirrors.enumerated() {
        let result = types.reduce(OrientationTransform.none) {
          $0.then($1 == "irot" ? rotation : mirror)
        }
        if result == transform { return types.map { UInt8($0 == "irot" ? angle : axis) } }
      }
    }
    return nil
  }

  /// Returns the edits that associate the items with the properties that the transforms need, and insert those that the
  /// file lacks.
  func associationEdits(
    _ transforms: [Int: OrientationTransform],
    _ sizes: SwappedSizes,
    _ properties: ItemProperties
  ) throws(FormatError) -> [Edit] {
    // The indices of the properties by their content, those of the first of each.
    var known: [ArraySlice<UInt8>: Int] = [:]
    for (number, property) in properties.all.enumerated().reversed()
    where !sizes.edited.contains(number + 1) {
      known[bytes[property.range]] = number + 1
    }
    var next = properties.all.count + 1
    var added: [UInt8] = []
    func index(of property: [UInt8]) -> Int {
      if let index = known[property[...]] { return index }
      known[property[...]] = next
      added += property
      next += 1
      return next - 1
    }
    var edits: [Edit] = []
    for item in Set(transforms.keys).union(sizes.replaced.keys).ordered(by: { $0 }) {
      guard let association = properties.associations[item] else {
        throw .unsupported("item \(item) has no properties")
      }
      var entries = association.entries
      if let (old, size) = sizes.replaced[item] {
        for place in entries.indices where entries[place].index == old {
          entries[place].index = index(of: size)
        }
      }
      if let transform = transforms[item] {
        entries.removeAll { Self.transforms.contains(properties.all[$0.index - 1].type) }
        // Transformative properties are essential (MIAF, 7.3.9).
        for property in Self.properties(for: transform) {
          entries.append((index(of: property), true))
        }
      }
      let size = association.indexSize
      guard entries.count <= 255, entries.allSatisfy({ $0.index < 1 << (8 * size - 1) }) else {
        throw .unsupported("the file has too many properties")
      }
      let indices = entries.flatMap { entry in
        let flag: UInt16 = entry.isEssential ? 1 << UInt16(8 * size - 1) : 0
        return (UInt16(entry.index) | flag).bytes(.big).suffix(size)
      }
      edits.append(edit(association.range, [UInt8(entries.count)] + indices, "heif.ipma"))
    }
    let end = properties.container.range.upperBound
    if !added.isEmpty { edits.append(edit(end..<end, added, "heif.ipco", "properties added")) }
    return edits
  }

  /// Returns the boxes that transform an image so: a rotation, then a mirror.
  private static func properties(for transform: OrientationTransform) -> [[UInt8]] {
    let types: [FourCharacterCode] = transform.mirrors ? ["irot", "imir"] : ["irot"]
    guard let values = values(of: types, for: transform) else { return [] }
    return zip(types, values).filter { $0 != "irot" || $1 != 0 }.map { type, value in
      [0, 0, 0, 9] + type.rawValue.bytes(.big) + [value]
    }
  }
}
