import FileBytes
import Fixtures

/// A TIFF file of random layout that a test made, and what its parts use.
struct TIFFSample {
  /// A page with one to three strips, and the values that are not in its entries.
  struct Page {
    var orientation: Int?
    var isReduced = false
    var directory = 0..<0
    var strips: [Range<Int>] = []
    var values: [Range<Int>] = []
  }

  private(set) var bytes: [UInt8] = []
  private(set) var pages: [Page] = []
  /// Whether a strip or value has bytes of a directory, too.
  private(set) var isShared = false
  let order: ByteOrder
  let isBig: Bool

  private var word: Int { isBig ? 8 : 4 }
  private var countSize: Int { isBig ? 8 : 2 }
  private var entrySize: Int { isBig ? 20 : 12 }

  /// Creates a file of pages with these values, without shared bytes.
  init(orientations: [Int?], reduced: Set<Int> = [], order: ByteOrder = .little) {
    var generator = SeededGenerator(seed: 1)
    (self.order, isBig) = (order, false)
    pages = orientations.map { Page(orientation: $0) }
    for index in reduced { pages[index].isReduced = true }
    build(sharing: false, &generator)
  }

  /// Creates a random file.
  init(_ generator: inout SeededGenerator) {
    order = Bool.random(using: &generator) ? .big : .little
    isBig = Int.random(in: 0..<4, using: &generator) == 0
    pages = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      Page(orientation: [1, 3, 6, 6, nil].randomElement(using: &generator) ?? nil)
    }
    build(sharing: Bool.random(using: &generator), &generator)
  }

  private struct Entry {
    var tag: Int
    var type: Int
    var values: [Int]
    var size: Int { values.count * [1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 16: 8][type, default: 1] }
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return order == .big ? bytes.reversed() : bytes
  }

  private mutating func put(_ new: [UInt8], at place: Int) {
    bytes.replaceSubrange(place..<place + new.count, with: new)
  }

  private mutating func build(sharing: Bool, _ generator: inout SeededGenerator) {
    var entries = pages.map { page -> [Entry] in
      let strips = Int.random(in: 1...3, using: &generator)
      let offsetType = isBig ? 16 : 4
      var entries = [
        Entry(tag: 0x100, type: 3, values: [4]), Entry(tag: 0x101, type: 3, values: [2 * strips]),
        Entry(tag: 0x102, type: 3, values: [8]), Entry(tag: 0x103, type: 3, values: [1]),
        Entry(tag: 0x106, type: 3, values: [1]),
        Entry(tag: 0x10F, type: 2, values: (0..<11).map { $0 == 10 ? 0 : 65 }),
        Entry(tag: 0x111, type: offsetType, values: Array(repeating: 0, count: strips)),
        Entry(tag: 0x116, type: 3, values: [2]),
        Entry(tag: 0x117, type: offsetType, values: Array(repeating: 8, count: strips)),
        Entry(tag: 0x11A, type: 4, values: [72]), Entry(tag: 0x131, type: 2, values: [66, 67, 0]),
      ]
      if page.isReduced { entries.insert(Entry(tag: 0xFE, type: 4, values: [1]), at: 0) }
      if let orientation = page.orientation {
        let place = entries.firstIndex { $0.tag > 0x112 } ?? entries.endIndex
        entries.insert(Entry(tag: 0x112, type: 3, values: [orientation]), at: place)
      }
      return entries
    }
    // The pieces in random order: a directory, or an entry's value that does not fit, or a strip.
    enum Piece {
      case directory(Int)
      case value(Int, Int)
      case strip(Int, Int)
    }
    var pieces: [Piece] = []
    for (page, list) in entries.enumerated() {
      pieces.append(.directory(page))
      for (index, entry) in list.enumerated() where entry.size > word {
        pieces.append(.value(page, index))
      }
      let strips = list.first { $0.tag == 0x111 }?.values.count ?? 0
      pieces += (0..<strips).map { .strip(page, $0) }
    }
    pieces.shuffle(using: &generator)
    var end = isBig ? 16 : 8
    var places: [(Piece, Range<Int>)] = []
    var isCut = false
    for (number, piece) in pieces.enumerated() {
      let length: Int
      switch piece {
      case .directory(let page):
        // The last piece of the last page may lack the offset of the next directory.
        isCut =
          number == pieces.count - 1 && page == pages.count - 1
          && Bool.random(using: &generator)
        length = countSize + entries[page].count * entrySize + (isCut ? 0 : word)
        pages[page].directory = end..<end + length
      case .value(let page, let index): length = entries[page][index].size
      case .strip: length = 8
      }
      places.append((piece, end..<end + length))
      end += length + Int.random(in: 0...3, using: &generator)
    }
    if isCut, let last = places.last { end = last.1.upperBound }
    bytes = (0..<end).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var valuePlaces: [[Int: Int]] = pages.map { _ in [:] }
    for (piece, place) in places {
      switch piece {
      case .directory: break
      case .value(let page, let index):
        // The offsets and lengths of strips must be what they are.
        let isFixed = [0x111, 0x117].contains(entries[page][index].tag)
        let place = sharing && !isFixed ? shared(place, &generator) : place
        pages[page].values.append(place)
        valuePlaces[page][index] = place.lowerBound
      case .strip(let page, let index):
        let place = sharing ? shared(place, &generator) : place
        pages[page].strips.append(place)
        let entry = entries[page].firstIndex { $0.tag == 0x111 } ?? 0
        entries[page][entry].values[index] = place.lowerBound
      }
    }
    // Directories and the offsets of strips are written last.
    for isFixed in [false, true] {
      for (page, values) in valuePlaces.enumerated() {
        for (index, place) in values {
          let entry = entries[page][index]
          guard [0x111, 0x117].contains(entry.tag) == isFixed else { continue }
          let size = entry.size / entry.values.count
          put(entry.values.flatMap { number($0, size) }, at: place)
        }
      }
    }
    put(header, at: 0)
    for (page, list) in entries.enumerated() {
      var directory = number(list.count, countSize)
      for (index, entry) in list.enumerated() {
        let size = entry.size / entry.values.count
        let value =
          valuePlaces[page][index].map { number($0, word) }
          ?? entry.values.flatMap { number($0, size) }
        directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, word)
        directory += value + [UInt8](repeating: 0, count: word - value.count)
      }
      let next = page + 1 < pages.count ? pages[page + 1].directory.lowerBound : 0
      directory += number(next, word)
      put(
        Array(directory.prefix(pages[page].directory.count)),
        at: pages[page].directory.lowerBound
      )
    }
    isShared = pages.contains { page in
      (page.strips + page.values).contains { part in
        pages.contains { $0.directory.overlaps(part) } || part.lowerBound < header.count
      }
    }
  }

  private var header: [UInt8] {
    let first = pages[0].directory.lowerBound
    return Array((order == .big ? "MM" : "II").utf8)
      + (isBig
        ? number(43, 2) + number(8, 2) + number(0, 2) + number(first, 8)
        : number(42, 2) + number(first, 4))
  }

  /// Returns a place of the same length near the beginning or end of a directory, for half of all places.
  private func shared(_ place: Range<Int>, _ generator: inout SeededGenerator) -> Range<Int> {
    guard Bool.random(using: &generator), let page = pages.randomElement(using: &generator) else {
      return place
    }
    let near = page.directory.lowerBound - place.count...page.directory.upperBound
    let start = Int.random(in: near, using: &generator)
    guard start >= 0, start + place.count <= bytes.count else { return place }
    return start..<start + place.count
  }

  /// Returns the entries of a page, without Orientation, and its Orientation, from the bytes of a file.
  func read(_ page: Int, in file: [UInt8]) -> (entries: [[UInt8]], orientation: Int?, next: Int) {
    func integer(_ place: Int, _ size: Int) -> Int {
      let field = file[place..<min(place + size, file.count)]
      return (order == .big ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    let start = pages[page].directory.lowerBound
    var (entries, orientation): ([[UInt8]], Int?) = ([], nil)
    var place = start + countSize
    for _ in 0..<integer(start, countSize) {
      let entry = Array(file[place..<place + entrySize])
      if integer(place, 2) == 0x112 {
        orientation = integer(place + entrySize - word, 2)
      } else {
        entries.append(entry)
      }
      place += entrySize
    }
    return (entries, orientation, integer(place, word))
  }
}

extension TIFFSample {
  /// Creates a file whose pages, with the Orientation 6, have one list of offsets and lengths of strips.
  ///
  /// - Parameters:
  ///   - pages: The number of pages.
  ///   - entries: How many entries of each page have the list for their offsets.
  ///   - strips: The length of the list, whose elements are 0.
  /// - Returns: The file.
  static func sharing(pages: Int, entries: Int = 1, strips: Int) -> [UInt8] {
    let number = HEIFSample.number
    let list = number(4, 2) + number(strips, 4) + number(8, 4)
    var file = Array("MM\0*".utf8) + number(8 + 4 * strips, 4)
    file += [UInt8](repeating: 0, count: 4 * strips)
    for page in 1...pages {
      file += number(entries + 2, 2)
      for _ in 0..<entries { file += number(0x111, 2) + list }
      file += number(0x112, 2) + number(3, 2) + number(1, 4) + [0, 6, 0, 0]
      file += number(0x117, 2) + list
      let next = file.count + 4
      file += number(page < pages ? next : 0, 4)
    }
    return file
  }
}
