internal import ISOBMFF

/// Decompresses data of the zlib format (RFC 1950) and of DEFLATE (RFC 1951).
struct Inflation {
  private var input: LeastSignificantBits
  private let limit: Int
  private var output: [UInt8] = []

  /// The number of blocks besides one for every 32 bytes: encoders begin one after thousands of bytes, or where they flush.
  private static let maxBlocks = 1000
  private static let damage = FormatError(.malformed, "the data is no DEFLATE stream")

  /// Decompresses data.
  ///
  /// The checksum is not compared: metadata is checked by its readers.
  ///
  /// - Parameters:
  ///   - data: The compressed data.
  ///   - room: How many bytes it may have; what is decompressed is subtracted, also of damaged data.
  /// - Returns: The bytes; nil if the data is damaged, or has more.
  static func zlib(_ data: [UInt8], room: inout Int) -> [UInt8]? {
    guard data.count > 2, data[0] & 15 == 8, (Int(data[0]) << 8 | Int(data[1])) % 31 == 0,
      data[1] & 0x20 == 0
    else { return nil }
    var inflation = Inflation(input: LeastSignificantBits(bytes: data, position: 16), limit: room)
    defer { room -= min(inflation.output.count, room) }
    var blocks = 0
    do throws(FormatError) {
      while true {
        blocks += 1
        guard blocks <= maxBlocks + inflation.output.count / 32 else { return nil }
        let isLast = try inflation.input.read(1) == 1
        switch try inflation.input.read(2) {
        case 0: try inflation.copyStored()
        case 1: try inflation.decode(CodeTable.literals.get(), CodeTable.distances.get())
        case 2: try inflation.decodeDynamic()
        default: return nil
        }
        if isLast { return inflation.output }
      }
    } catch { return nil }
  }

  /// A Huffman code, decoded bit by bit from the counts of codes of each length.
  private struct CodeTable {
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    /// The codes of blocks without their own (RFC 1951, 3.2.6).
    static let literals: Result<CodeTable, FormatError> = Result { () throws(FormatError) in
      let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
      return try CodeTable(lengths[...])
    }
    static let distances: Result<CodeTable, FormatError> = Result { () throws(FormatError) in
      try CodeTable([Int](repeating: 5, count: 30)[...])
    }

    /// Creates the code of the lengths.
    init(_ lengths: ArraySlice<Int>) throws(FormatError) {
      for length in lengths where length > 0 { counts[length] += 1 }
      let space = counts.enumerated().reduce(0) { $0 + $1.element << (15 - $1.offset) }
      guard space <= 1 << 15 else { throw Inflation.damage }
      // Where the next symbol with a code of each length belongs.
      var places = [0]
      for (length, count) in counts.enumerated() { places.append(places[length] + count) }
      symbols = [Int](repeating: 0, count: places[16])
      for (symbol, length) in lengths.enumerated() where length > 0 {
        symbols[places[length]] = symbol
        places[length] += 1
      }
    }

    /// Returns the next symbol.
    func symbol(_ input: inout LeastSignificantBits) throws(FormatError) -> Int {
      var (code, first, index) = (0, 0, 0)
      for count in counts.dropFirst() {
        code |= try input.read(1)
        if code - first < count { return symbols[index + code - first] }
        index += count
        first = (first + count) << 1
        code <<= 1
      }
      throw Inflation.damage
    }
  }

  private mutating func copyStored() throws(FormatError) {
    input.position = (input.position + 7) / 8 * 8
    let (length, complement) = (try input.read(16), try input.read(16))
    let start = input.position / 8
    guard length == complement ^ 0xFFFF, start + length <= input.bytes.count,
      output.count + length <= limit
    else { throw Inflation.damage }
    output += input.bytes[start..<start + length]
    input.position += 8 * length
  }

  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Decodes a block with its own codes (RFC 1951, 3.2.7).
  private mutating func decodeDynamic() throws(FormatError) {
    let (literals, distances) = (try input.read(5) + 257, try input.read(5) + 1)
    var own = [Int](repeating: 0, count: 19)
    for index in 0..<(try input.read(4)) + 4 { own[Self.order[index]] = try input.read(3) }
    let table = try CodeTable(own[...])
    var lengths: [Int] = []
    while lengths.count < literals + distances {
      let symbol = try table.symbol(&input)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw Inflation.damage }
        lengths += [Int](repeating: last, count: 3 + (try input.read(2)))
      case 17: lengths += [Int](repeating: 0, count: 3 + (try input.read(3)))
      case 18: lengths += [Int](repeating: 0, count: 11 + (try input.read(7)))
      default: lengths.append(symbol)
      }
    }
    guard lengths.count == literals + distances else { throw Inflation.damage }
    try decode(CodeTable(lengths.prefix(literals)), CodeTable(lengths.dropFirst(literals)))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]

  private mutating func decode(_ literals: CodeTable, _ distances: CodeTable) throws(FormatError) {
    while true {
      let symbol = try literals.symbol(&input)
      guard output.count < limit, symbol < 286 else { throw Inflation.damage }
      if symbol == 256 { return }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      let place = symbol - 257
      // 258 has its own code, without additional bits.
      let lengthBits = place < 8 || place == 28 ? 0 : place / 4 - 1
      let length = Self.lengthBases[place] + (try input.read(lengthBits))
      let distance = try distances.symbol(&input)
      guard distance < 30 else { throw Inflation.damage }
      let more = max(0, distance / 2 - 1)
      let base = distance < 2 ? distance : (2 + distance % 2) << more
      let back = 1 + base + (try input.read(more))
      guard back <= output.count, output.count + length <= limit else { throw Inflation.damage }
      for _ in 0..<length { output.append(output[output.count - back]) }
    }
  }
}
