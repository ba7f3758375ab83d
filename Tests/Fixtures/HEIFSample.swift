/// A HEIF file that a test builds item by item.
///
/// The coded image is that of the fixture `heif/plain.heic`, of 96×64 pixels.
package struct HEIFSample: Sendable {
  /// An item; its number is its position, from 1.
  package struct Item: Sendable {
    package var type: String
    package var data: [UInt8]
    /// The properties: boxes.
    package var properties: [[UInt8]]
    package var isHidden = false
    /// Each a type and the numbers of items.
    package var references: [(type: String, targets: [Int])] = []
    /// The MIME type.
    package var contentType = ""
    /// The index of a data reference; 0 is the file itself.
    package var dataReference = 0
    /// The number of the item whose bytes this one has, too.
    package var sharesBytes: Int?

    package init(_ type: String, _ data: [UInt8] = [], _ properties: [[UInt8]] = []) {
      (self.type, self.data, self.properties) = (type, data, properties)
    }

    /// Returns the item with a reference.
    package func referring(_ type: String, _ targets: Int...) -> Item {
      var result = self
      result.references.append((type, targets))
      return result
    }

    /// Returns the item with another property.
    package func with(_ property: [UInt8]) -> Item {
      var result = self
      result.properties.append(property)
      return result
    }
  }

  package var items: [Item]
  /// Groups of items, each a type and the numbers of items; one of the type `uuid` gets a user type.
  package var groups: [(type: String, members: [Int])] = []
  /// Whether equal properties of items are one box.
  package var sharesProperties = false
  /// The boxes after the others.
  package var trailer: [UInt8] = []

  package init(_ items: Item...) { self.items = items }

  package init(items: [Item]) { self.items = items }

  /// Returns a box.
  package static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap(\.self)
    return number(content.count + 8, 4) + Array(type.utf8) + content
  }

  /// Returns a box with version and flags.
  package static func fullBox(
    _ type: String,
    version: Int = 0,
    flags: Int = 0,
    _ content: [UInt8]...
  ) -> [UInt8] {
    box(type, [UInt8(version)], number(flags, 3), content.flatMap(\.self))
  }

  /// Returns an integer with its highest byte first.
  package static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  package static func ispe(_ width: Int, _ height: Int) -> [UInt8] {
    fullBox("ispe", number(width, 4), number(height, 4))
  }

  /// Returns a crop, of whole pixels, around the center.
  package static func clap(_ width: Int, _ height: Int, offset: Int = 0) -> [UInt8] {
    box("clap", [width, 1, height, 1, offset, 1, offset, 1].flatMap { number($0, 4) })
  }

  package static func irot(_ quarters: Int) -> [UInt8] { box("irot", [UInt8(quarters)]) }

  package static func auxiliary(_ name: String) -> [UInt8] {
    fullBox("auxC", Array(name.utf8) + [0])
  }

  /// The decoder configuration and the coded image of a fixture that has one image.
  package static func coded(
    _ fixture: String = "plain"
  ) throws -> (configuration: [UInt8], data: [UInt8]) {
    let file = try Fixture.bytes("heif/\(fixture).heic")
    func box(_ type: String) throws -> Range<Int> {
      guard let place = file.firstRange(of: Array(type.utf8))?.lowerBound else {
        throw Tool.Failure("\(fixture) has no \(type)")
      }
      return place - 4..<place - 4 + file[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
    }
    return (Array(file[try box("hvcC")]), Array(file[try box("mdat")].dropFirst(8)))
  }

  /// Returns an item of the coded image.
  package static func image(_ width: Int = 96, _ height: Int = 64) throws -> Item {
    let coded = try coded()
    return Item("hvc1", coded.data, [coded.configuration, ispe(width, height)])
  }

  /// Returns the item of a grid.
  package static func grid(
    _ columns: Int,
    _ rows: Int,
    _ width: Int,
    _ height: Int,
    _ tiles: [Int]
  ) -> Item {
    let data = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + number(width, 2) + number(height, 2)
    var item = Item("grid", data, [ispe(width, height)])
    item.references = [("dimg", tiles)]
    return item
  }

  /// Returns the item of an overlay.
  package static func overlay(
    _ width: Int,
    _ height: Int,
    _ images: [(image: Int, x: Int, y: Int)]
  ) -> Item {
    let data =
      [0, 0] + [UInt8](repeating: 0xFF, count: 8) + number(width, 2) + number(height, 2)
      + images.flatMap { number($0.x, 2) + number($0.y, 2) }
    var item = Item("iovl", data, [ispe(width, height)])
    item.references = [("dimg", images.map(\.image))]
    return item
  }

  /// The file.
  package var bytes: [UInt8] {
    let start = Self.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
    let length = meta(0).count
    return start + meta(start.count + length + 8)
      + Self.box("mdat", items.filter { $0.sharesBytes == nil }.flatMap(\.data)) + trailer
  }

  /// The box `meta` of a file whose items' data is at a place.
  private func meta(_ place: Int) -> [UInt8] {
    let number = Self.number
    var (places, information, references) = ([UInt8](), [UInt8](), [UInt8]())
    var (properties, associations) = ([[UInt8]](), [UInt8]())
    let start = place
    var place = place
    for (index, item) in items.enumerated() {
      let identifier = number(index + 1, 2)
      if let other = item.sharesBytes {
        let before = items.prefix(other - 1).reduce(0) { $0 + $1.data.count }
        places += identifier + number(0, 2) + number(1, 2) + number(start + before, 4)
      } else {
        places += identifier + number(item.dataReference, 2) + number(1, 2) + number(place, 4)
        place += item.data.count
      }
      places += number(item.data.count, 4)
      let name = item.contentType.isEmpty ? [0] : [0] + Array(item.contentType.utf8) + [0]
      information += Self.fullBox(
        "infe",
        version: 2,
        flags: item.isHidden ? 1 : 0,
        identifier + [0, 0] + Array(item.type.utf8) + name
      )
      for (type, targets) in item.references {
        references += Self.box(
          type,
          identifier + number(targets.count, 2) + targets.flatMap { number($0, 2) }
        )
      }
      associations += identifier + number(item.properties.count, 1)
      for property in item.properties {
        let known = sharesProperties ? properties.firstIndex(of: property) : nil
        if known == nil { properties.append(property) }
        associations.append(UInt8((known ?? properties.count - 1) + 1))
      }
    }
    let entities = groups.enumerated().flatMap { index, group in
      Self.box(
        group.type,
        group.type == "uuid" ? Array(0..<16) : [],
        number(0, 4) + number(100 + index, 4) + number(group.members.count, 4),
        group.members.flatMap { number($0, 4) }
      )
    }
    return Self.fullBox(
      "meta",
      Self.fullBox("hdlr", Array("\0\0\0\0pict".utf8) + [UInt8](repeating: 0, count: 13)),
      Self.fullBox("pitm", number(1, 2)),
      Self.fullBox("iloc", [0x44, 0], number(items.count, 2), places),
      Self.fullBox("iinf", number(items.count, 2), information),
      Self.fullBox("iref", references),
      Self.box(
        "iprp",
        Self.box("ipco", properties.flatMap(\.self)),
        Self.fullBox("ipma", number(items.count, 4), associations)
      ),
      groups.isEmpty ? [] : Self.box("grpl", entities)
    )
  }
}
