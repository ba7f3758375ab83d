import Fixtures
import JPEGCore
import Testing

struct BitWriterTests {
  @Test func `A coefficient without a code is detected`() {
    var writer = BitWriter(codes: CodeTable([]), expectedSize: 0)
    var register = writer.open()
    register.put(symbol: 3, table: TableIndex.dc(0), bits: 5, count: 3)
    writer.close(register)
    let lacksCode = writer.lacksCode
    #expect(lacksCode)
  }

  @Test func `Bits are written most significant first, stuffed and padded with ones`() {
    var writer = BitWriter(codes: CodeTable([]), expectedSize: 0)
    writer.put(BitString(0b1111_1111, count: 8))
    writer.put(BitString(0b101, count: 3))
    writer.restart(9)
    writer.put(BitString(0, count: 1))
    #expect(writer.finish() == [0xFF, 0x00, 0b1011_1111, 0xFF, 0xD1, 0b0111_1111])
  }

  @Test func `Random bits are read as they were written`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<100 {
      var writer = BitWriter(codes: CodeTable([]), expectedSize: 0)
      var expected: [Bool] = []
      // Up to twice the size of the writer's buffer.
      for _ in 0..<Int.random(in: 1...4_000, using: &generator) {
        let count = Int.random(in: 0...63, using: &generator)
        // Many ones, for many stuffed bytes.
        let bits =
          Bool.random(using: &generator) ? .max : UInt64.random(in: 0...(.max), using: &generator)
        writer.put(BitString(bits & (1 << UInt64(count) - 1), count: count))
        expected += (0..<count).reversed().map { bits >> UInt64($0) & 1 == 1 }
      }
      while expected.count % 8 != 0 { expected.append(true) }
      let bytes = writer.finish()
      var plain: [UInt8] = []
      var isStuffed = true
      for (index, byte) in bytes.enumerated() {
        if index > 0, bytes[index - 1] == 0xFF {
          isStuffed = isStuffed && byte == 0
        } else {
          plain.append(byte)
        }
      }
      #expect(isStuffed && bytes.last != 0xFF)
      let bits = plain.flatMap { byte -> [Bool] in (0..<8).map { byte & (0x80 >> $0) != 0 } }
      #expect(bits == expected)
    }
  }
}
