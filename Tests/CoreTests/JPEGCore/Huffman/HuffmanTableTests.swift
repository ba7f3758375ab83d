import Fixtures
import JPEGCore
import Testing

/// Symbol frequencies for the tests.
private struct Frequencies: Sendable, CustomStringConvertible {
  var description: String
  var values: [Int]

  init(_ description: String, _ values: [Int]) {
    self.description = description
    self.values = values + [Int](repeating: 0, count: 256 - values.count)
  }

  static let all: [Frequencies] =
    [
      Frequencies("one symbol", [5]), Frequencies("two symbols", [0, 1, 0, 900]),
      Frequencies("all alike", [Int](repeating: 3, count: 256)),
      Frequencies("all once", [Int](repeating: 1, count: 256)),
      Frequencies("Fibonacci of 20", fibonacci(20)), Frequencies("Fibonacci of 40", fibonacci(40)),
      Frequencies("Fibonacci of 80", fibonacci(80)),
      Frequencies("Fibonacci and 200 rare ones", fibonacci(50) + Array(repeating: 1, count: 200)),
      Frequencies("powers of two", (0..<60).map { 1 << $0 }),
    ]
    + (0..<20).map { seed in
      var generator = SeededGenerator(seed: UInt64(seed))
      return Frequencies(
        "random \(seed)",
        (0..<256).map { _ in
          Bool.random(using: &generator)
            ? 0 : 1 << Int.random(in: 0...seed * 2, using: &generator)
        }
      )
    }

  private static func fibonacci(_ count: Int) -> [Int] {
    var (a, b) = (1, 1)
    return (0..<count).map { _ in
      defer { (a, b) = (b, a + b) }
      return a
    }
  }

  /// The number of bits of an unlimited Huffman code with one reserved code of weight 1: the sum of the
  /// weights of the inner nodes.
  var unlimitedBits: Int {
    var weights = values.filter { $0 > 0 } + [1]
    var bits = 0
    while weights.count > 1 {
      weights.sort(by: >)
      let sum = weights.removeLast() + weights.removeLast()
      bits += sum
      weights.append(sum)
    }
    return bits
  }
}

struct HuffmanTableTests {
  @Test(arguments: Frequencies.all)
  private func `Every symbol that occurs has a code of at most 16 bits, none of all ones`(
    frequencies: Frequencies
  ) {
    let table = HuffmanTable(optimalFor: frequencies.values)
    let used = frequencies.values.indices.filter { frequencies.values[$0] > 0 }
    #expect(table.counts.count == 16)
    #expect(table.counts.reduce(0) { $0 + Int($1) } == used.count)
    #expect(table.symbols.map { Int($0) }.sorted() == used)
    // In units of 2^-16; the code of all ones takes the rest, which must be positive.
    let kraft = table.counts.enumerated().reduce(0) { $0 + Int($1.element) << (15 - $1.offset) }
    #expect(kraft < 1 << 16)
    for (symbol, entry) in table.codes.enumerated() {
      #expect((entry.length > 0) == (frequencies.values[symbol] > 0))
      #expect(entry.length == 0 || Int(entry.code) != 1 << entry.length - 1)
      #expect(Int(entry.code) >> entry.length == 0)
    }
  }

  @Test(arguments: Frequencies.all)
  private func `No code is a prefix of another`(frequencies: Frequencies) {
    let codes = HuffmanTable(optimalFor: frequencies.values).codes.filter { $0.length > 0 }
    let intervals = codes.map { (Int($0.code) << (16 - $0.length), 1 << (16 - Int($0.length))) }
      .sorted { $0.0 < $1.0 }
    #expect(zip(intervals, intervals.dropFirst()).allSatisfy { $0.0 + $0.1 <= $1.0 })
  }

  @Test(arguments: Frequencies.all)
  private func `The code is as short as Huffman's if that has at most 16 bits`(
    frequencies: Frequencies
  ) {
    let codes = HuffmanTable(optimalFor: frequencies.values).codes
    var bits = 0
    for (symbol, entry) in codes.enumerated() {
      bits +=
        frequencies.values[symbol].multipliedReportingOverflow(by: Int(entry.length))
        .partialValue
    }
    let longest = codes.map(\.length).max() ?? 0
    guard longest < 16 else { return }
    // The reserved code is one of the longest, and it may have displaced one of these by a bit.
    #expect(bits + Int(longest) <= frequencies.unlimitedBits + 1)
    #expect(bits < frequencies.unlimitedBits)
  }

  @Test(arguments: Frequencies.all)
  private func `More frequent symbols have codes that are not longer, if none was shortened`(
    frequencies: Frequencies
  ) {
    let codes = HuffmanTable(optimalFor: frequencies.values).codes
    guard codes.allSatisfy({ $0.length < 16 }) else { return }
    let lengths = zip(frequencies.values, codes).filter { $0.0 > 0 }.sorted { $0.0 > $1.0 }
    for (often, seldom) in zip(lengths, lengths.dropFirst()) where often.0 > seldom.0 {
      #expect(often.1.length <= seldom.1.length)
    }
  }

  @Test func `Without symbols there are no codes`() {
    let table = HuffmanTable(optimalFor: [Int](repeating: 0, count: 256))
    #expect(table.symbols.isEmpty)
    #expect(table.counts == [UInt8](repeating: 0, count: 16))
  }

  @Test func `Codes are assigned as in annex C`() {
    let table = HuffmanTable(
      counts: [0, 2, 1] + Array(repeating: 0, count: 13),
      symbols: [7, 5, 9]
    )
    let codes = [7, 5, 9].map { symbol in table.codes[symbol] }
    #expect(codes.map(\.code) == [0b00, 0b01, 0b100])
    #expect(codes.map(\.length) == [2, 2, 3])
  }

  @Test(arguments: ["coding/baseline-standard-tables.jpg", "coding/restart-rows.jpg"])
  func `libjpeg's default tables are the example tables`(path: String) throws {
    let tables = try ImageFile(try Fixture.bytes(path)).huffmanTables()
    #expect(
      Set(tables) == [
        .standard(.dc, chrominance: false), .standard(.ac, chrominance: false),
        .standard(.dc, chrominance: true), .standard(.ac, chrominance: true),
      ]
    )
    #expect(tables.count == 4 && tables.allSatisfy(\.isStandard))
  }

  @Test func `Optimized tables are not the example tables`() throws {
    let tables = try ImageFile(try Fixture.bytes("coding/baseline-optimised.jpg")).huffmanTables()
    #expect(tables.count == 4 && !tables.contains(where: \.isStandard))
  }

  @Test func `A truncated DHT segment is malformed, except after a complete table`()
    throws
  {
    let image = try ImageFile(try Fixture.bytes("coding/baseline-standard-tables.jpg"))
    let found = try #require(
      image.container.segments.first { $0.marker == .defineHuffmanTables }
    )
    let payload = Array(image.bytes[found.payload])
    let (whole, bytes) = segment(.defineHuffmanTables, payload + payload)
    let ends = try HuffmanTables(whole, in: bytes).definitions.map(\.range.upperBound)
    #expect(ends.count == 2)
    for length in 1..<2 * payload.count where !ends.contains(length + 4) {
      let (cut, bytes) = segment(.defineHuffmanTables, Array((payload + payload)[..<length]))
      #expect(throws: ContainerError.self) { try HuffmanTables(cut, in: bytes) }
    }
  }
}
