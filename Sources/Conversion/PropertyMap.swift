internal import JPEGCore

/// The properties of a HEIF file's items (ISO/IEC 23008-12, 9.3).
struct PropertyMap {
  private var properties: [Box] = []
  private var associations: [Range<Int>] = []

  /// Reads the content of an `iprp` box.
  init(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    for box in Box.boxes(bytes, in: content) {
      switch box.type {
      case "ipco": properties = Box.boxes(bytes, in: box.content)
      case "ipma": associations.append(box.content)
      default: break
      }
    }
  }

  /// Returns the properties of an item, in the order in which they apply.
  func properties(of item: Int, _ bytes: Span<UInt8>) -> [Box] {
    // Properties are counted from 1.
    associations.flatMap { Self.indices(of: item, bytes, $0) }
      .filter { $0 > 0 && $0 <= properties.count }
      .map { properties[$0 - 1] }
  }

  /// Returns the property indices of an item in the content of an `ipma` box.
  private static func indices(
    of item: Int,
    _ bytes: Span<UInt8>,
    _ content: Range<Int>
  ) -> [Int] {
    guard content.count >= 8, let count = bytes.uint32(at: content.lowerBound + 4) else {
      return []
    }
    let isWide = bytes[content.lowerBound] > 0
    let isLong = bytes[content.lowerBound + 3] & 1 == 1
    var place = content.lowerBound + 8
    for _ in 0..<count {
      let number =
        isWide ? bytes.uint32(at: place).map { Int($0) } : bytes.uint16(at: place).map { Int($0) }
      place += isWide ? 4 : 2
      guard let number, place < content.upperBound else { return [] }
      let associations = Int(bytes[place])
      place += 1
      let size = isLong ? 2 : 1
      guard place + associations * size <= content.upperBound else { return [] }
      if number == item {
        // The highest bit is the essential flag.
        return (0..<associations).map { index in
          isLong
            ? Int((bytes.uint16(at: place + 2 * index) ?? 0) & 0x7FFF)
            : Int(bytes[place + index] & 0x7F)
        }
      }
      place += associations * size
    }
    return []
  }
}
