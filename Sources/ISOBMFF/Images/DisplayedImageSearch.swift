/// The search for the images that are displayed with the primary one; it fails at a structure that stops a change.
struct DisplayedImageSearch {
  private let directory: ItemDirectory
  private let groups: [EntityGroup]
  /// The indices of the groups of each entity.
  private var memberships: [Int: [Int]] = [:]
  /// The indices of the groups of which an image was found.
  private var visitedGroups: Set<Int> = []
  /// The references to each item.
  private var referrers: [Int: [(type: FourCharacterCode, item: Int)]] = [:]
  /// The images found, with tone-mapped images (`tmap`) that have the primary image as their base.
  private(set) var images: Set<Int> = []
  /// The parts of the images: tiles, and what belongs to tiles.
  private var parts: Set<Int> = []
  private var visitedTiles: Set<Int> = []
  private var queue: [Int] = []

  /// The types of items that are images coded in themselves.
  private static let coded: Set<FourCharacterCode> = [
    "hvc1", "hev1", "av01", "avc1", "vvc1", "evc1", "jpeg", "j2k1", "unci",
  ]
  /// The types of groups whose members move together: alternatives, both images of a stereo pair, layers of a pyramid,
  /// images of a burst.
  private static let groupTypes: Set<FourCharacterCode> = ["altr", "ster", "pymd", "brst"]

  init(_ directory: ItemDirectory, _ groups: [EntityGroup]) {
    (self.directory, self.groups) = (directory, groups)
    for (index, group) in groups.enumerated() where group.members.count > 1 {
      for member in Set(group.members) { memberships[member, default: []].append(index) }
    }
    for item in directory.items.values {
      for reference in item.references {
        for target in Set(reference.targets) {
          referrers[target, default: []].append((reference.type, item.identifier))
        }
      }
    }
  }

  /// Finds the images.
  mutating func run() throws(FormatError) {
    guard try directory.item(directory.primary).type != "tmap" else {
      throw .unsupported("the primary image is derived from others (tmap)")
    }
    add(directory.primary)
    while let identifier = queue.popLast() { try visit(try directory.item(identifier)) }
    for (index, group) in groups.enumerated() where visitedGroups.contains(index) {
      try check(group)
    }
    for identifier in images { try checkReferences(of: try directory.item(identifier)) }
    for identifier in directory.order where !images.contains(identifier) {
      guard let item = directory.items[identifier], item.isImage, !item.isHidden,
        !parts.contains(identifier)
      else { continue }
      throw .unsupported(
        "item \(identifier) (\(item.type)) is another image, which is not displayed with the primary one"
      )
    }
  }

  private mutating func add(_ identifier: Int) {
    if images.insert(identifier).inserted { queue.append(identifier) }
  }

  private mutating func visit(_ item: Item) throws(FormatError) {
    switch item.type {
    case "grid": try visitTiles(of: item)
    case "tmap":
      let inputs = item.targets("dimg")
      guard inputs.count == 2, inputs[0] != inputs[1] else {
        throw .unsupported("item \(item.identifier) (tmap) is not derived from two images")
      }
      add(inputs[1])
    case let type where Self.coded.contains(type):
      guard item.targets("dimg").isEmpty else { throw derived(item) }
    case let type where DerivedImage.types.contains(type): throw derived(item)
    default:
      throw .unsupported("item \(item.identifier) (\(item.type)) is an image of an unknown kind")
    }
    for index in memberships[item.identifier] ?? [] where visitedGroups.insert(index).inserted {
      guard Self.groupTypes.contains(groups[index].type) else { continue }
      for member in groups[index].members where member != item.identifier { add(member) }
    }
    for (type, source) in referrers[item.identifier] ?? [] {
      switch type {
      case "thmb", "auxl": add(source)
      case "dimg":
        let other = try directory.item(source)
        guard other.type == "tmap" else { throw derived(other) }
        add(source)
      case "cdsc", "prem": continue
      default:
        guard directory.items[source]?.isImage == true else { continue }
        throw unknown(type, from: source, to: item.identifier)
      }
    }
  }

  /// Checks that no group of another kind has an image that stays as it is beside one that is transformed.
  private func check(_ group: EntityGroup) throws(FormatError) {
    guard !Self.groupTypes.contains(group.type), !group.members.allSatisfy(images.contains),
      let member = group.members.first(where: images.contains)
    else { return }
    throw .unsupported("item \(member) is in a group of images of another kind (\(group.type))")
  }

  private func derived(_ item: Item) -> FormatError {
    .unsupported("item \(item.identifier) (\(item.type)) is derived from other images")
  }

  private func unknown(
    _ type: FourCharacterCode,
    from source: Int,
    to target: Int
  ) -> FormatError {
    .unsupported("item \(source) refers to item \(target) in a way that is not known (\(type))")
  }

  /// Visits the tiles of a grid, which is transformed as a whole.
  private mutating func visitTiles(of grid: Item) throws(FormatError) {
    for identifier in grid.targets("dimg") where visitedTiles.insert(identifier).inserted {
      let tile = try directory.item(identifier)
      let auxiliary = (referrers[identifier] ?? []).filter { $0.type == "auxl" }.map { $0.item }
      for part in [identifier] + auxiliary where parts.insert(part).inserted {
        let item = try directory.item(part)
        guard Self.coded.contains(item.type), !item.properties.contains(where: { $0.isTransform })
        else {
          throw .unsupported(
            "item \(part), a tile of item \(grid.identifier), is derived, cropped, rotated or mirrored"
          )
        }
      }
      guard memberships[tile.identifier] == nil else {
        throw .unsupported("item \(identifier) is a tile, and in a group of images")
      }
    }
  }

  /// Checks that an image depends on images only that were found.
  private func checkReferences(of item: Item) throws(FormatError) {
    guard !parts.contains(item.identifier) else {
      throw .unsupported("item \(item.identifier) is an image, and a tile of another one")
    }
    for reference in item.references {
      switch reference.type {
      case "cdsc", "prem": continue
      case "dimg" where item.type == "grid": continue
      case "dimg", "thmb", "auxl":
        for target in reference.targets where !images.contains(target) {
          throw .unsupported(
            "item \(item.identifier) (\(item.type)) also belongs to item \(target), another image"
          )
        }
      default:
        for target in reference.targets {
          throw unknown(reference.type, from: item.identifier, to: target)
        }
      }
    }
  }
}

extension Item {
  /// Whether the item is an image.
  fileprivate var isImage: Bool {
    properties.contains { $0.type == "ispe" } || isCodedImage || DerivedImage.types.contains(type)
      || type == "tmap"
  }
}

extension Box {
  /// Whether the box is a property that transforms an image.
  fileprivate var isTransform: Bool {
    (["irot", "imir", "clap", "iscl"] as Set<FourCharacterCode>).contains(type)
  }
}
