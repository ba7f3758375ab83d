/// Decompresses data of the zlib format (RFC 1950) and of DEFLATE (RFC 1951).
enum Inflation {
  /// Returns the decompressed data; nil if it is damaged, or longer than a limit.
  ///
  /// The checksum is not compared: metadata is checked by its readers.
  static func zlib(_ data: [UInt8], limit: Int) -> [UInt8]? {
    guard data.count > 2, data[0] & 15 == 8, (Int(data[0]) << 8 | Int(data[1])) % 31 == 0,
      data[1] & 0x20 == 0
    else { return nil }
    var decoder = InflationDecoder(data, at: 2, limit: limit)
    return decoder.run() ? decoder.output : nil
  }
}

/// A Huffman code, decoded bit by bit from the counts of codes of each length.
private struct CodeTable {
  private var counts = [Int](repeating: 0, count: 16)
  private var symbols: [Int] = []

  /// Creates the code of the lengths; nil if there are more codes than fit.
  init?(_ lengths: ArraySlice<Int>) {
    for length in lengths { counts[length] += 1 }
    counts[0] = 0
    var places = [Int](repeating: 0, count: 17)
    var left = 1
    for length in 1...15 {
      left = left * 2 - counts[length]
      guard left >= 0 else { return nil }
      places[length + 1] = places[length] + counts[length]
    }
    symbols = [Int](repeating: 0, count: lengths.count)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[length]] = symbol
      places[length] += 1
    }
  }

  /// Returns the symbol of the next bits, or nil if they are no code.
  func symbol(_ next: () -> Int?) -> Int? {
    var (code, first, index) = (0, 0, 0)
    for length in 1...15 {
      guard let bit = next() else { return nil }
      code |= bit
      if code - first < counts[length] { return symbols[index + code - first] }
      index += counts[length]
      first = (first + counts[length]) << 1
      code <<= 1
    }
    return nil
  }
}

private struct InflationDecoder {
  private let data: [UInt8]
  private var position: Int
  private var bit = 0
  private let limit: Int
  private(set) var output: [UInt8] = []

  init(_ data: [UInt8], at position: Int, limit: Int) {
    (self.data, self.position, self.limit) = (data, position, limit)
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Decompresses all blocks, and returns whether that succeeded.
  mutating func run() -> Bool {
    while true {
      guard let isLast = bits(1), let type = bits(2) else { return false }
      let isRead: Bool
      switch type {
      case 0: isRead = stored()
      case 1: isRead = fixed()
      case 2: isRead = dynamic()
      default: isRead = false
      }
      guard isRead else { return false }
      if isLast == 1 { return true }
    }
  }

  private mutating func bits(_ count: Int) -> Int? {
    var value = 0
    for index in 0..<count {
      guard position < data.count else { return nil }
      value |= Int(data[position] >> UInt8(bit) & 1) << index
      bit += 1
      if bit == 8 { (bit, position) = (0, position + 1) }
    }
    return value
  }

  private mutating func stored() -> Bool {
    if bit > 0 { (bit, position) = (0, position + 1) }
    guard let length = bits(16), let complement = bits(16), length == complement ^ 0xFFFF,
      position + length <= data.count, output.count + length <= limit
    else { return false }
    output += data[position..<position + length]
    position += length
    return true
  }

  private mutating func fixed() -> Bool {
    let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    guard let literals = CodeTable(lengths[...]),
      let distances = CodeTable([Int](repeating: 5, count: 30)[...])
    else { return false }
    return codes(literals, distances)
  }

  private mutating func dynamic() -> Bool {
    guard let literals = bits(5), let distances = bits(5), let used = bits(4), literals < 30,
      distances < 30
    else { return false }
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<used + 4 {
      guard let length = bits(3) else { return false }
      lengths[Self.order[index]] = length
    }
    guard let table = CodeTable(lengths[...]) else { return false }
    let count = literals + 257 + distances + 1
    lengths = []
    while lengths.count < count {
      guard let symbol = table.symbol({ bits(1) }) else { return false }
      switch symbol {
      case 0..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last, let more = bits(2) else { return false }
        lengths += [Int](repeating: last, count: 3 + more)
      default:
        guard let more = bits(symbol == 17 ? 3 : 7) else { return false }
        lengths += [Int](repeating: 0, count: (symbol == 17 ? 3 : 11) + more)
      }
    }
    guard lengths.count == count, let first = CodeTable(lengths.prefix(literals + 257)),
      let second = CodeTable(lengths.suffix(distances + 1))
    else { return false }
    return codes(first, second)
  }

  private mutating func codes(_ literals: CodeTable, _ distances: CodeTable) -> Bool {
    while true {
      guard let symbol = literals.symbol({ bits(1) }), output.count < limit else { return false }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      let place = symbol - 257
      guard place < 29 else { return false }
      // 258 has its own code, without additional bits.
      let lengthBits = place < 8 || place == 28 ? 0 : place / 4 - 1
      guard let lengthMore = bits(lengthBits),
        let distance = distances.symbol({ bits(1) }), distance < 30,
        let distanceMore = bits(distance < 4 ? 0 : distance / 2 - 1)
      else { return false }
      let length = Self.lengthBases[place] + lengthMore
      let back = Self.distanceBases[distance] + distanceMore
      guard back <= output.count, output.count + length <= limit else { return false }
      for _ in 0..<length { output.append(output[output.count - back]) }
    }
  }
}
