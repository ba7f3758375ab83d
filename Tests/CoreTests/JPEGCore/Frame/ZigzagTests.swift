import Fixtures
import JPEGCore
import Testing

struct ZigzagTests {
  @Test func `The order is that of figure A.6`() {
    // The zigzag position of each position in the block, row by row.
    let figure = [
      [0, 1, 5, 6, 14, 15, 27, 28],
      [2, 4, 7, 13, 16, 26, 29, 42],
      [3, 8, 12, 17, 25, 30, 41, 43],
      [9, 11, 18, 24, 31, 40, 44, 53],
      [10, 19, 23, 32, 39, 45, 52, 54],
      [20, 22, 33, 38, 46, 51, 55, 60],
      [21, 34, 37, 47, 50, 56, 59, 61],
      [35, 36, 48, 49, 57, 58, 62, 63],
    ]
    #expect(Zigzag.position == figure.flatMap(\.self))
    #expect((0..<64).allSatisfy { Zigzag.natural[Zigzag.position[$0]] == $0 })
  }

  @Test func `Transposing swaps rows and columns, and twice restores them`() {
    for zigzag in 0..<64 {
      let (place, other) = (Zigzag.natural[zigzag], Zigzag.natural[Zigzag.transposed[zigzag]])
      #expect((other / 8, other % 8) == (place % 8, place / 8))
      #expect(Zigzag.transposed[Zigzag.transposed[zigzag]] == zigzag)
    }
  }

  @Test(arguments: ["coding/baseline-standard-tables.jpg", "coding/sixteen-bit-tables.jpg"])
  func `A transposed quantization table keeps its elements whole`(path: String) throws {
    let image = try ImageFile(try Fixture.bytes(path))
    let segments = image.container.segments.filter { $0.marker == .defineQuantizationTables }
    let tables = try segments.flatMap {
      try QuantizationTables($0, in: image.bytes).tables
    }
    #expect(tables.count == 2)
    for table in tables {
      func elements(_ bytes: [UInt8]) -> [Int] {
        stride(from: 0, to: bytes.count, by: table.elementSize).map { start in
          bytes[start..<start + table.elementSize].reduce(0) { $0 << 8 | Int($1) }
        }
      }
      let before = elements(Array(image.bytes[table.elements]))
      let after = elements(QuantizationTables.transposed(table, in: image.bytes))
      #expect(before.count == 64)
      for zigzag in 0..<64 { #expect(after[zigzag] == before[Zigzag.transposed[zigzag]]) }
    }
  }
}
