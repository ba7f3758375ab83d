internal import FileBytes
internal import JPEGCore
package import XMPPacket

/// The directory of Google's photo container, which lists the files after the primary image (specification,
/// section 5).
package struct ContainerDirectory {
  /// One file of the container, in directory order; the primary image is the first.
  package struct Item {
    package var mime: String
    /// The purpose of the file, such as `GainMap`.
    package var semantic: String
    package var length: XMPProperty?
    package var padding: Int
    var element: Range<Int>?
  }

  package let items: [Item]
  package let block: XMPBlock

  /// Reads the directory of a packet; nil if it has none.
  package init?(_ block: XMPBlock) {
    self.block = block
    var groups: [Int: [XMPProperty]] = [:]
    for property in block.packet.properties where property.namespace == XMPNamespace.containerItem {
      let step =
        property.path.last { $0.namespace == XMPNamespace.container && $0.index != nil }
        ?? property.path.last { $0.index != nil }
      guard let index = step?.index else { continue }
      groups[index, default: []].append(property)
    }
    guard !groups.isEmpty else { return nil }
    items = groups.ordered { $0.key }.map { index, properties in
      func value(_ name: String) -> XMPProperty? { properties.first { $0.name == name } }
      return Item(
        mime: value("Mime")?.value ?? "",
        semantic: value("Semantic")?.value ?? "",
        length: value("Length"),
        padding: Self.count(value("Padding")).length,
        element: Self.element(index, of: properties, block.packet)
      )
    }
  }

  private static func element(
    _ index: Int,
    of properties: [XMPProperty],
    _ packet: XMPPacket
  ) -> Range<Int>? {
    guard let path = properties.first?.path,
      let step = path.lastIndex(where: { $0.index == index })
    else { return nil }
    return packet.items.first { $0.index == index && $0.path == Array(path[..<step]) }?.range
  }

  /// Returns the items after the primary image with their ranges, if the primary image ends at `end`.
  func ranges(after end: Int) -> [(item: Item, range: Range<Int64>)] {
    guard let primary = items.first else { return [] }
    var position = Int64(end) + Int64(primary.padding)
    return items.dropFirst().map { item in
      let length = Self.count(item.length)
      defer { position = min(position + length + Int64(item.padding), Self.maxLength) }
      return (item, position..<position + length)
    }
  }

  /// The maximum length of an item, small enough that sums do not overflow.
  private static let maxLength: Int64 = 1 << 40

  /// Returns a number of bytes, or 0 if it is invalid.
  private static func count(_ property: XMPProperty?) -> Int64 {
    guard let number = property.flatMap({ Int64($0.value) }), (0...maxLength).contains(number)
    else {
      return 0
    }
    return number
  }
}

extension Header {
  /// Whether a container directory gives the length of the primary image.
  ///
  /// Most give 0 or none.
  var listsOwnLength: Bool { xmp.contains { ownLength(in: $0) != nil } }

  /// Returns the length of the primary image in the directory of a packet; nil if that gives another number or none.
  func ownLength(in block: XMPBlock) -> XMPProperty? {
    guard let length = ContainerDirectory(block)?.items.first?.length,
      Int(length.value) == container.end
    else { return nil }
    return length
  }

  /// Returns edits of a file, made again with the length that the primary image gets, if a container directory gives it.
  func edits<Failure: Error>(
    _ edits: [Edit],
    remaking make: (_ length: Int) throws(Failure) -> [Edit]
  ) throws(Failure) -> [Edit] {
    var edits = edits
    // A longer number can make the packet longer, once.
    for _ in 0..<(listsOwnLength ? 2 : 0) {
      edits = try make(container.end + edits.totalShift)
    }
    return edits
  }
}
