internal import FileBytes

/// The sizes (`ispe`) of derived images whose width and height are swapped (ISO/IEC 23008-12, 6.5.3).
struct SwappedSizes {
  /// The indices of the properties whose values are swapped, because they are of these images alone.
  private(set) var edited: Set<Int> = []
  /// The index of the property that an image shares with others, and the property that it gets instead, by item.
  private(set) var replaced: [Int: (old: Int, new: [UInt8])] = [:]

  init(_ items: Set<Int>, _ properties: ItemProperties, _ bytes: [UInt8]) throws(FormatError) {
    guard !items.isEmpty else { return }
    let others = properties.associations.filter { !items.contains($0.key) }
    let shared = Set(others.values.flatMap { $0.entries.map { $0.index } })
    for item in items {
      let indices = properties.associations[item]?.entries.map { $0.index } ?? []
      for index in indices where properties.all[index - 1].type == "ispe" {
        let box = properties.all[index - 1]
        guard box.content.count == 12 else {
          throw .unsupported("the size (ispe) of item \(item) has \(box.content.count) bytes")
        }
        if shared.contains(index) {
          let header = bytes[box.range.lowerBound..<box.content.lowerBound + 4]
          replaced[item] = (index, header + Self.swapped(box, bytes))
        } else {
          edited.insert(index)
        }
      }
    }
  }

  /// Returns the height and the width of a property, as bytes.
  static func swapped(_ box: Box, _ bytes: [UInt8]) -> [UInt8] {
    let width = box.content.lowerBound + 4
    return Array(bytes[width + 4..<width + 8] + bytes[width..<width + 4])
  }
}

extension ItemBox {
  /// Returns the edits of the sizes whose values are swapped.
  func sizeValueEdits(_ sizes: SwappedSizes, _ properties: ItemProperties) -> [Edit] {
    sizes.edited.ordered { $0 }.compactMap { index in
      let box = properties.all[index - 1]
      let value = box.content.lowerBound + 4..<box.content.lowerBound + 12
      let new = SwappedSizes.swapped(box, bytes)
      guard bytes[value] != new[...] else { return nil }
      return edit(value, new, "heif.ispe")
    }
  }
}
