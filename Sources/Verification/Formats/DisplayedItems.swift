internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation
internal import Upright

/// The orientation of the images of a HEIF file, and which of them are displayed together.
struct DisplayedItems {
  private let table: ItemTable
  /// The rotation and mirroring of each item that has some.
  private(set) var orientations: [Int: OrientationTransform] = [:]
  private let sizes: DerivedSizes

  init(_ table: ItemTable, _ bytes: Span<UInt8>) throws(FormatError) {
    self.table = table
    sizes = DerivedSizes(table, bytes)
    for identifier in table.order {
      var result: OrientationTransform?
      for property in table.properties(of: identifier)
      where property.type == "irot" || property.type == "imir" {
        guard property.content.count == 1 else {
          throw .malformed(at: property.range.lowerBound, "\(property.type) has no value")
        }
        let value = bytes[property.content.lowerBound]
        let own: OrientationTransform =
          switch (property.type, value & 3) {
          // Counter-clockwise, in steps of 90 degrees (ISO/IEC 23008-12, 6.5.10).
          case ("irot", 1): .rotate270
          case ("irot", 2): .rotate180
          case ("irot", 3): .rotate90
          case ("imir", let axis): axis & 1 == 0 ? .flipVertical : .flipHorizontal
          default: .none
          }
        result = (result ?? .none).then(own)
      }
      orientations[identifier] = result
    }
  }

  var primary: Int { table.primary }

  private func sources(_ type: FourCharacterCode, of item: Int) -> [Int] {
    table.references.filter { $0.type == type && $0.source == item }.flatMap { $0.targets }
  }

  /// The rotation and mirroring of the displayed image; nil if the file states none.
  ///
  /// An image that is derived from one image has its transforms first, then its own.
  var shown: OrientationTransform? {
    var chain = [primary]
    while let last = chain.last, chain.count < 8, table.items[last]?.type == "iden",
      let base = sources("dimg", of: last).first
    { chain.append(base) }
    let known = chain.reversed().compactMap { orientations[$0] }
    return known.isEmpty ? nil : known.reduce(.none) { $0.then($1) }
  }

  /// Returns the stored size of the displayed image, as `ispe` gives it.
  func size(_ bytes: Span<UInt8>) -> PixelSize? {
    let property = table.properties(of: primary).first { $0.type == "ispe" }
    guard let start = property?.content.lowerBound, let width = bytes.uint32(at: start + 4),
      let height = bytes.uint32(at: start + 8), width > 0, height > 0
    else { return nil }
    return PixelSize(width: width.length, height: height.length)
  }

  private func isImage(_ item: Int) -> Bool {
    table.properties(of: item).contains { $0.type == "ispe" }
  }

  /// The tiles of grids and other parts of images, with what belongs to them.
  private var inputs: Set<Int> {
    var inputs: Set<Int> = []
    for reference in table.references
    where reference.type == "dimg" && table.items[reference.source]?.type != "tmap" {
      inputs.formUnion(reference.targets)
    }
    for reference in table.references
    where reference.type == "auxl" && reference.targets.allSatisfy(inputs.contains) {
      inputs.insert(reference.source)
    }
    return inputs
  }

  /// The items that are displayed together: an image and its thumbnails, auxiliary images and alternatives.
  private var neighbors: [Int: [Int]] {
    var neighbors: [Int: [Int]] = [:]
    func join(_ items: [Int]) {
      guard let first = items.first else { return }
      for other in items.dropFirst() {
        neighbors[first, default: []].append(other)
        neighbors[other, default: []].append(first)
      }
    }
    for reference in table.references {
      let isDerived =
        reference.type == "dimg" && table.items[reference.source]?.type == "tmap"
      guard isDerived || reference.type == "thmb" || reference.type == "auxl" else { continue }
      join([reference.source] + reference.targets)
    }
    for group in table.groups { join(group) }
    return neighbors
  }

  /// The images that a reader may display in place of the primary one or with it.
  private var displayed: Set<Int> {
    let (inputs, neighbors) = (inputs, neighbors)
    // An image that is not hidden is displayed, too.
    var queue = [primary] + table.order.filter { table.items[$0]?.isHidden == false }
    var found: Set<Int> = []
    while let item = queue.popLast() {
      guard isImage(item), !inputs.contains(item), found.insert(item).inserted else { continue }
      queue += neighbors[item] ?? []
    }
    return found
  }

  /// Returns how an image is displayed in another file, compared with this one.
  private func change(_ item: Int, in other: DisplayedItems) -> OrientationTransform {
    (orientations[item] ?? .none).inverse.then(other.orientations[item] ?? .none)
  }

  /// Compares with a result, in which the displayed image is transformed; the files have the same items.
  func compare(
    with result: DisplayedItems,
    _ made: OrientationTransform
  ) -> [Observation] {
    var observations: [Observation] = []
    let displayed = displayed
    for item in table.order {
      let change = change(item, in: result)
      let expected: OrientationTransform
      if displayed.contains(item) {
        // A tone-mapped image without a transform has that of its base.
        expected = isDerived(item) ? .none : made
      } else {
        expected = .none
      }
      let range = place(item)
      let other = result.place(item)
      observations += compareSizes(of: item, with: result)
      if change != expected {
        let type = table.items[item].map { " (\($0.type))" } ?? ""
        observations.append(
          .finding(
            .itemOrientation,
            "irot and imir of item \(item)\(type) changed by: \(change); expected: \(expected)",
            original: range.lowerBound,
            result: other.lowerBound
          )
        )
      } else if change != .none {
        observations.append(
          .difference(
            "heif.item-\(item).orientation",
            range,
            other,
            old: (orientations[item] ?? .none).rawValue,
            new: (result.orientations[item] ?? .none).rawValue
          )
        )
        if result.isAmbiguous(item) {
          let text = "readers differ in the order of crop, rotation and mirror of item \(item)"
          observations.append(.finding(.itemOrientation, text, result: other.lowerBound))
        }
      }
    }
    return observations
  }

  /// Whether an image takes another one as it is displayed.
  private func isDerived(_ item: Int) -> Bool {
    table.items[item]?.type == "tmap" && (orientations[item] ?? .none) == OrientationTransform.none
  }

  /// Compares the size of a tone-mapped image with the one that it must have in the result.
  private func compareSizes(of item: Int, with result: DisplayedItems) -> [Observation] {
    guard let old = sizes.pairs[item] else { return [] }
    let new = result.sizes.pairs[item]
    let expected = isDerived(item) ? old.expected(isAcross: new?.isAcross == true) : old.own
    let (range, other) = (place(item), result.place(item))
    if new?.own != expected {
      let found = new.map { "\($0.own.width)×\($0.own.height)" } ?? "none"
      return [
        .finding(
          .itemOrientation,
          "the size (ispe) of item \(item) (tmap) is \(found); expected: \(expected.width)×\(expected.height)",
          original: range.lowerBound,
          result: other.lowerBound
        )
      ]
    }
    return expected == old.own
      ? []
      : [
        .difference(
          "heif.item-\(item).size",
          range,
          other,
          old: "\(old.own.width)×\(old.own.height)",
          new: "\(expected.width)×\(expected.height)"
        )
      ]
  }

  /// Where the content of an item is.
  private func place(_ item: Int) -> Range<Int> {
    let extents = table.items[item]?.extents ?? []
    guard let first = extents.first, extents.count == 1 else {
      return table.meta.range.lowerBound..<table.meta.range.lowerBound
    }
    return first
  }

  /// Whether the transforms of an item are not in the order crop, rotation, mirror (MIAF, 7.3.6.7).
  private func isAmbiguous(_ item: Int) -> Bool {
    let order: [FourCharacterCode] = ["clap", "irot", "imir"]
    let steps = table.properties(of: item).compactMap { property in
      order.firstIndex { $0 == property.type }
    }
    return zip(steps, steps.dropFirst()).contains { $0 >= $1 }
  }
}
