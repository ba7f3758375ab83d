import Foundation
import ImageOrientation
import Upright

/// Changes the boxes of HEIF and AVIF fixtures, and then their orientation.
///
/// The input selects a fixture, a request and up to eight changes of sizes, types, identifiers, extents, properties and the
/// order of boxes. A reader of its own must find every item of the written file with the type, the content and the properties
/// that it had, except for those that give the orientation, and the orientation that was requested.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Instructions(input(start, count))
  let source = sources[input.next() % sources.count]
  let selector = input.next()
  var file = source
  for _ in 0...input.next() & 7 { change(&file, &input) }
  let orientation = Orientation.allCases[selector & 7]
  let request = requested(selector >> 3, orientation)
  guard let rewrite = rewritten(file, request, trustsTag: selector & 64 == 0) else { return 0 }
  let (old, new) = (Reading(file), Reading(rewrite.bytes))
  for (identifier, item) in old.items where item.type != "Exif" && item.type != "mime" {
    guard let result = new.items[identifier] else { fatalError("item \(identifier) is lost") }
    precondition(result.type == item.type, "item \(identifier) has another type")
    precondition(result.content == item.content, "item \(identifier) has another content")
    precondition(result.fixed == item.fixed, "item \(identifier) has other properties")
  }
  precondition(old.primary == new.primary, "another item is the primary one")
  precondition(old.references == new.references, "the references are others")
  if selector >> 3 & 3 == 0, let primary = new.primary, let item = new.items[primary] {
    precondition(item.orientation == orientation, "the orientation is \(item.orientation)")
  }
  return 0
}

private let sources: [[UInt8]] = {
  guard let root = ProcessInfo.processInfo.environment["UPRIGHT_FIXTURES"] else {
    fatalError("the fixtures are missing; run through tools/dev/fuzz/fuzz")
  }
  return ["heif", "formats"].flatMap { folder -> [[UInt8]] in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
    return names.sorted().filter { $0.hasSuffix(".heic") || $0.hasSuffix(".avif") }
      .map { fixture("\(folder)/\($0)") }.filter { $0.count < 1 << 15 }
  }
}()

/// The bytes of the input that are not yet used; zeros after its end.
private struct Instructions {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  mutating func next() -> Int { Int(bytes.popFirst() ?? 0) }

  mutating func number() -> Int { next() << 8 | next() }
}

/// A box, and the boxes around it by their indexes.
private struct Box {
  var type: String
  var range: Range<Int>
  var content: Int
  var parents: [Int] = []
}

/// The bytes before the boxes in a container.
private let containers = ["meta": 4, "iprp": 0, "ipco": 0, "iref": 4, "iinf": 6, "grpl": 0]

private func boxes(_ file: [UInt8]) -> [Box] {
  var found: [Box] = []
  func read(_ range: Range<Int>, _ parents: [Int]) {
    var position = range.lowerBound
    while position + 8 <= range.upperBound, found.count < 500 {
      let size = number(file, position, 4)
      guard size >= 8, position + size <= range.upperBound else { return }
      let type = String(decoding: file[position + 4..<position + 8], as: UTF8.self)
      found.append(
        Box(type: type, range: position..<position + size, content: position + 8, parents: parents)
      )
      if let skipped = containers[type], 8 + skipped <= size {
        read(position + 8 + skipped..<position + size, parents + [found.count - 1])
      }
      position += size
    }
  }
  read(0..<file.count, [])
  return found
}

private func number(_ file: [UInt8], _ position: Int, _ size: Int) -> Int {
  file[position..<position + size].reduce(0) { $0 << 8 | Int($1) }
}

private func set(_ file: inout [UInt8], _ position: Int, _ size: Int, _ value: Int) {
  for index in 0..<size where position + index < file.count {
    file[position + index] = UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - index)))
  }
}

private let types = [
  "free", "skip", "irot", "imir", "clap", "ispe", "ipma", "iloc", "hvc1", "grid", "tmap", "iovl",
  "iden", "dimg",
  "auxl", "cdsc", "thmb", "ster", "altr", "idat", "mdat", "uuid", "infe", "Exif", "mime", "av01",
]

// MARK: Changes

private func change(_ file: inout [UInt8], _ input: inout Instructions) {
  let found = boxes(file)
  guard !found.isEmpty else { return }
  let action = input.next()
  let index = input.number() % found.count
  let box = found[index]
  switch action % 9 {
  case 0:
    let size = box.range.count
    set(
      &file,
      box.range.lowerBound,
      4,
      [0, 1, 7, 8, size - 1, size + 1, size + 8, input.number()][action / 9 & 7]
    )
  case 1:
    file.replaceSubrange(
      box.range.lowerBound + 4..<box.content,
      with: types[input.next() % types.count].utf8
    )
  // The numbers of the boxes that say where items are and what belongs to them.
  case 2, 3, 4:
    let small = found.filter {
      ["iloc", "ipma", "infe", "pitm", "irot", "imir", "iinf"].contains($0.type)
        || $0.parents.count > 1
    }
    let box = small.isEmpty ? box : small[index % small.count]
    guard box.content < box.range.upperBound else { return }
    let place = box.content + input.number() % (box.range.upperBound - box.content)
    set(
      &file,
      place,
      [1, 2, 4, 1][action / 9 & 3],
      [input.next(), input.number(), -1, file.count - input.next()][action / 36 & 3]
    )
  case 5: replace(&file, box.range, with: [], box, found, moves: action & 64 != 0)
  case 6:
    replace(
      &file,
      box.range.upperBound..<box.range.upperBound,
      with: Array(file[box.range]),
      box,
      found,
      moves: action & 64 != 0
    )
  case 7:
    let type = types[input.next() % types.count]
    let content = (0..<input.next() & 15).map { _ in UInt8(input.next()) }
    let new = UInt32(8 + content.count).bigEndian
    let bytes = withUnsafeBytes(of: new) { Array($0) } + Array(type.utf8) + content
    replace(
      &file,
      box.range.upperBound..<box.range.upperBound,
      with: bytes,
      box,
      found,
      moves: action & 64 != 0
    )
  default:
    let siblings = found.filter {
      $0.parents == box.parents && $0.range.lowerBound >= box.range.upperBound
    }
    guard let other = siblings.first else { return }
    file.replaceSubrange(
      box.range.lowerBound..<other.range.upperBound,
      with: file[other.range] + file[box.range.upperBound..<other.range.lowerBound]
        + file[box.range]
    )
  }
}

/// Replaces bytes at the end of a box, and corrects the sizes around it and, if requested, the offsets of items.
private func replace(
  _ file: inout [UInt8],
  _ range: Range<Int>,
  with bytes: [UInt8],
  _ box: Box,
  _ found: [Box],
  moves: Bool
) {
  guard file.count < 1 << 17 else { return }
  let growth = bytes.count - range.count
  for parent in box.parents {
    set(&file, found[parent].range.lowerBound, 4, found[parent].range.count + growth)
  }
  if moves {
    for place in locations(file) {
      let offset = number(file, place, 4)
      if offset >= range.upperBound { set(&file, place, 4, offset + growth) }
    }
  }
  file.replaceSubrange(range, with: bytes)
}

/// The places of offsets of four bytes from the start of the file.
private func locations(_ file: [UInt8]) -> [Int] {
  var places: [Int] = []
  _ = Reading.locations(file) { places.append($0) }
  return places
}

// MARK: Reading

/// What ISO/IEC 23008-12 says about the items of a file, as far as a simple reader needs it.
private struct Reading {
  struct Item {
    var type: String
    var content: [UInt8]?
    var fixed: [[UInt8]] = []
    var orientation = Orientation.up
  }

  var items: [Int: Item] = [:]
  var primary: Int?
  var references: [[UInt8]] = []

  init(_ file: [UInt8]) {
    let found = boxes(file)
    // The first `meta` of the file, and the first box of each kind in it.
    guard let meta = found.firstIndex(where: { $0.type == "meta" && $0.parents.isEmpty }) else {
      return
    }
    func first(_ type: String) -> Box? { found.first { $0.type == type && $0.parents == [meta] } }
    if let box = first("pitm"), box.range.count >= 14 {
      primary = number(
        file,
        box.content + 4,
        file[box.content] == 0 ? 2 : min(4, box.range.count - 12)
      )
    }
    references = ["iref", "grpl"].compactMap { type in first(type).map { Array(file[$0.range]) } }
    let idat = first("idat").map { $0.content..<$0.range.upperBound }
    for box in found where box.type == "infe" && box.range.count >= 20 {
      guard let list = box.parents.last, found[list].type == "iinf", found[list].parents == [meta]
      else { continue }
      let version = file[box.content]
      guard version == 2 || version == 3 else { continue }
      let size = version == 2 ? 2 : 4
      guard box.content + 4 + size + 6 <= box.range.upperBound else { continue }
      let identifier = number(file, box.content + 4, size)
      let type = String(
        decoding: file[box.content + 6 + size..<box.content + 10 + size],
        as: UTF8.self
      )
      if items[identifier] == nil { items[identifier] = Item(type: type) }
    }
    for (identifier, extents) in Self.locations(file, { _ in }) where items[identifier] != nil {
      var content: [UInt8]? = []
      for (isInBox, offset, length) in extents {
        let whole = isInBox ? idat ?? 0..<0 : 0..<file.count
        guard length > 0, offset <= whole.count, length <= whole.count - offset else {
          content = nil
          break
        }
        let start = whole.lowerBound + offset
        content? += file[start..<start + length]
      }
      items[identifier]?.content = content
    }
    readProperties(file, found, meta)
  }

  private mutating func readProperties(_ file: [UInt8], _ found: [Box], _ meta: Int) {
    guard let container = found.firstIndex(where: { $0.type == "iprp" && $0.parents == [meta] }),
      let list = found.firstIndex(where: { $0.type == "ipco" && $0.parents == [meta, container] })
    else { return }
    let properties = found.filter { $0.parents == [meta, container, list] }
    for box in found where box.type == "ipma" && box.parents == [meta, container] {
      var position = box.content + 8
      guard position <= box.range.upperBound else { return }
      let (isLong, isWide) = (file[box.content] > 0, file[box.content + 3] & 1 == 1)
      for _ in 0..<min(number(file, box.content + 4, 4), 1000) {
        guard position + (isLong ? 5 : 3) <= box.range.upperBound else { return }
        let identifier = number(file, position, isLong ? 4 : 2)
        position += isLong ? 5 : 3
        for _ in 0..<file[position - 1] {
          guard position + (isWide ? 2 : 1) <= box.range.upperBound else { return }
          let index = number(file, position, isWide ? 2 : 1) & (isWide ? 0x7FFF : 0x7F)
          position += isWide ? 2 : 1
          guard index > 0, index <= properties.count else { continue }
          let property = properties[index - 1]
          switch property.type {
          case "irot" where property.range.count > 8:
            rotate(identifier, Int(file[property.content] & 3))
          case "imir" where property.range.count > 8:
            let mirror: OrientationTransform =
              file[property.content] & 1 == 0 ? .flipVertical : .flipHorizontal
            transform(identifier, by: mirror)
          default: items[identifier]?.fixed.append(Array(file[property.range]))
          }
        }
      }
    }
  }

  /// Rotates an item counter-clockwise by multiples of 90°.
  private mutating func rotate(_ identifier: Int, _ count: Int) {
    for _ in 0..<count { transform(identifier, by: .rotate270) }
  }

  private mutating func transform(_ identifier: Int, by transform: OrientationTransform) {
    guard let old = items[identifier]?.orientation else { return }
    let all = old.transform.then(transform)
    items[identifier]?.orientation = Orientation.allCases.first { $0.transform == all } ?? .up
  }

  /// Returns the extents of the items of the first `iloc`, and passes the places of offsets of four bytes.
  static func locations(
    _ file: [UInt8],
    _ place: (Int) -> Void
  ) -> [Int: [(isInBox: Bool, offset: Int, length: Int)]] {
    let found = boxes(file)
    guard let meta = found.firstIndex(where: { $0.type == "meta" && $0.parents.isEmpty }),
      let box = found.first(where: { $0.type == "iloc" && $0.parents == [meta] }),
      box.range.count >= 16
    else { return [:] }
    let version = file[box.content]
    guard version <= 2 else { return [:] }
    var position = box.content + 4
    func next(_ size: Int) -> Int? {
      guard [0, 2, 4, 8].contains(size) || size == 1, position + size <= box.range.upperBound else {
        return nil
      }
      defer { position += size }
      let value = number(file, position, size)
      return value < 0 || value > 1 << 40 ? nil : value
    }
    guard let sizes = next(2), let count = next(version < 2 ? 2 : 4) else { return [:] }
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
    var all: [Int: [(isInBox: Bool, offset: Int, length: Int)]] = [:]
    for _ in 0..<min(count, 1000) {
      guard let identifier = next(version < 2 ? 2 : 4), let method = version > 0 ? next(2) : 0,
        let reference = next(2), let base = next(baseSize), let extents = next(2)
      else { return all }
      var ranges: [(isInBox: Bool, offset: Int, length: Int)] = []
      for _ in 0..<min(extents, 1000) {
        guard next(indexSize) != nil else { return all }
        let start = position
        guard let offset = next(offsetSize), let length = next(lengthSize) else { return all }
        if offsetSize == 4, method & 15 == 0 { place(start) }
        // Data of other files and of other items cannot be compared.
        let isKnown = reference == 0 && method & 15 < 2
        ranges.append((method & 15 == 1, base + offset, isKnown ? length : 0))
      }
      if all[identifier] == nil { all[identifier] = ranges }
    }
    return all
  }
}
