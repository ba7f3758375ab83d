internal import FileBytes
internal import ISOBMFF
internal import Upright

/// The directories of a TIFF file or an Exif block, read for a comparison.
///
/// This reader shares nothing with those that a rewrite uses.
struct TIFFTree {
  struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: Int
    /// The bytes of the entry.
    var range: Range<Int>
    /// The value; nil if it is not within the block.
    var value: Range<Int>?
    var isInline: Bool
    /// Whether its type is one that readers know.
    var isTyped: Bool

    var place: Int { range.lowerBound }
    /// Whether its type is that of an offset of a directory.
    var isPointer: Bool { type == 13 || type == 18 }
  }

  /// A directory, as an offset of the file.
  struct Directory {
    var start: Int
    var entries: [Entry]
    /// The bytes from the number of entries to the offset of the next directory.
    var range: Range<Int>
    /// The tag that points to the directory; nil if it is in the list that begins with IFD0.
    var pointer: UInt16?

    var isPage: Bool { pointer == nil }

    func first(_ tag: UInt16) -> Entry? { entries.first { $0.tag == tag } }
  }

  /// The bytes of the block; offsets count from its start.
  let range: Range<Int>
  let order: ByteOrder
  let isBig: Bool
  /// The pages in the order of their list, then all other directories.
  private(set) var directories: [Directory] = []
  /// Bytes outside of directories that are used: values, strips and tiles.
  private(set) var used: [Range<Int>] = []
  /// Where directories should be that end after the block.
  private(set) var unreadable: [Int] = []
  /// Whether there are more directories than are read.
  private(set) var isCut = false
  /// How many entries and elements may still be read.
  private var budget: Int

  private static let maxDirectories = 8192
  private static let maxElements = 1 << 22
  /// Exif, GPS, Interoperability and SubIFDs.
  private static let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005, 0x14A]
  /// Offsets of data, and the tags of their lengths: strips, tiles, a thumbnail.
  private static let data: [(offsets: UInt16, lengths: UInt16)] = [
    (0x111, 0x117), (0x144, 0x145), (0x201, 0x202),
  ]

  static let orientation: UInt16 = 0x112
  static let packet: UInt16 = 0x2BC
  static let subfileType: UInt16 = 0xFE
  /// DNGVersion, which only DNG files have.
  static let version: UInt16 = 0xC612

  private var offsetSize: Int { isBig ? 8 : 4 }
  private var entrySize: Int { isBig ? 20 : 12 }
  private var countSize: Int { isBig ? 8 : 2 }

  /// Reads a block; nil if it does not begin with a byte order mark.
  ///
  /// Fails if it has too many entries and elements: more than bytes, which is impossible unless they overlap, or than a
  /// limit.
  init?(_ bytes: Span<UInt8>, in range: Range<Int>) throws(FormatError) {
    self.range = range
    budget = Swift.min(range.count, Self.maxElements)
    let start = range.lowerBound
    guard range.upperBound <= bytes.count, range.count >= 8 else { return nil }
    if bytes.hasPrefix("II", at: start) {
      order = .little
    } else if bytes.hasPrefix("MM", at: start) {
      order = .big
    } else {
      return nil
    }
    isBig = bytes.uint16(at: start + 2, order) == 43
    guard let first = integer(bytes, at: start + (isBig ? 8 : 4), offsetSize) else { return nil }
    try read(first, bytes)
  }

  var pages: [Directory] { directories.filter { $0.isPage } }

  private mutating func read(_ first: Int, _ bytes: Span<UInt8>) throws(FormatError) {
    var queue: [(offset: Int, pointer: UInt16?)] = [(first, nil)]
    var others: [(offset: Int, pointer: UInt16?)] = []
    var visited: Set<Int> = []
    while let (offset, pointer) = queue.popLast() ?? others.popLast() {
      guard offset > 0, visited.insert(offset).inserted else { continue }
      guard directories.count < Self.maxDirectories else {
        isCut = true
        break
      }
      guard let (directory, next) = directory(at: offset, pointer, bytes) else {
        unreadable.append(range.lowerBound + min(offset, range.count))
        continue
      }
      try spend(directory.entries.count, at: directory.start)
      directories.append(directory)
      if pointer == nil { queue.append((next, nil)) }
      for entry in directory.entries {
        if let value = entry.value, !entry.isInline { used.append(value) }
        if Self.pointers.contains(entry.tag) || entry.isPointer {
          others += try elements(entry, bytes).map { ($0, entry.tag) }
        }
      }
      for (offsets, lengths) in Self.data {
        guard let places = directory.first(offsets), let sizes = directory.first(lengths) else {
          continue
        }
        let lists = (try elements(places, bytes), try elements(sizes, bytes))
        for (place, size) in zip(lists.0, lists.1) {
          let start = Swift.min(range.lowerBound + place, range.upperBound)
          used.append(start..<Swift.min(start + size, range.upperBound))
        }
      }
    }
  }

  /// Returns the elements of an entry, which count toward the budget.
  private mutating func elements(
    _ entry: Entry,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> [Int] {
    try spend(entry.value == nil ? 0 : entry.count, at: entry.place)
    return integers(entry, bytes)
  }

  private mutating func spend(_ count: Int, at place: Int) throws(FormatError) {
    guard count <= budget else {
      let text = "the directories have too many entries and offsets, or share them"
      throw .malformed(at: place, text)
    }
    budget -= count
  }

  private func directory(
    at offset: Int,
    _ pointer: UInt16?,
    _ bytes: Span<UInt8>
  ) -> (Directory, next: Int)? {
    let start = range.lowerBound + offset
    guard let count = integer(bytes, at: start, countSize),
      count <= (range.upperBound - start - countSize) / entrySize
    else { return nil }
    var entries: [Entry] = []
    for index in 0..<count {
      let place = start + countSize + index * entrySize
      guard let tag = bytes.uint16(at: place, order), let type = bytes.uint16(at: place + 2, order)
      else { return nil }
      let number = integer(bytes, at: place + 4, offsetSize) ?? 0
      let field = place + 4 + offsetSize
      var entry = Entry(
        tag: tag,
        type: type,
        count: number,
        range: place..<place + entrySize,
        value: nil,
        isInline: false,
        isTyped: Self.size(type) != nil
      )
      if let size = Self.size(type), number <= range.count / size {
        entry.isInline = number * size <= offsetSize
        let from =
          entry.isInline
          ? field : integer(bytes, at: field, offsetSize).map { range.lowerBound + $0 }
        if let from, from + number * size <= range.upperBound {
          entry.value = from..<from + number * size
        }
      }
      entries.append(entry)
    }
    let end = start + countSize + count * entrySize
    let next = integer(bytes, at: end, offsetSize)
    let stop = Swift.min(end + offsetSize, range.upperBound)
    let directory = Directory(
      start: start,
      entries: entries,
      range: start..<stop,
      pointer: pointer
    )
    return (directory, next ?? 0)
  }

  private static func size(_ type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// Returns an unsigned integer; nil if it is not within the block, or too large for an offset.
  private func integer(_ bytes: Span<UInt8>, at place: Int, _ size: Int) -> Int? {
    guard place >= range.lowerBound, place <= range.upperBound - size else { return nil }
    var value: UInt64 = 0
    for index in 0..<size {
      let byte = bytes[order == .big ? place + index : place + size - 1 - index]
      value = value << 8 | UInt64(byte)
    }
    return value <= UInt64(Int.max >> 2) ? Int(value) : nil
  }

  /// Returns the first elements of an entry; none if they are no unsigned integers.
  func integers(_ entry: Entry, _ bytes: Span<UInt8>, maxCount: Int = .max) -> [Int] {
    guard let value = entry.value, [1, 3, 4, 13, 16, 18].contains(entry.type),
      let size = Self.size(entry.type)
    else { return [] }
    return stride(from: value.lowerBound, to: value.upperBound, by: size).prefix(maxCount)
      .compactMap { integer(bytes, at: $0, size) }
  }

  /// Returns the Orientation of a directory, even if invalid; nil if there is none.
  func orientation(_ directory: Directory, _ bytes: Span<UInt8>) -> Int? {
    guard let entry = directory.first(Self.orientation), let value = entry.value else { return nil }
    guard let size = Self.size(entry.type) else { return nil }
    return integer(bytes, at: value.lowerBound, size)
  }

  /// Returns the bytes of a directory without Orientation: closed up, and zeros at the end.
  ///
  /// Two directories have the same form if only Orientation differs or is missing from one of them.
  func form(_ directory: Directory, _ bytes: Span<UInt8>) -> [UInt8] {
    let isKept: (Entry) -> Bool = { $0.tag != Self.orientation || !$0.isInline || $0.count != 1 }
    let kept = directory.entries.filter(isKept)
    let end = directory.start + countSize + directory.entries.count * entrySize
    var form: [UInt8] = []
    for shift in stride(from: 8 * (countSize - 1), through: 0, by: -8) {
      form.append(UInt8(truncatingIfNeeded: Int64(kept.count) >> Int64(shift)))
    }
    for entry in kept { form += bytes.bytes(entry.place..<entry.place + entrySize) }
    form += bytes.bytes(end..<directory.range.upperBound)
    return form + [UInt8](repeating: 0, count: directory.range.count - form.count)
  }
}
