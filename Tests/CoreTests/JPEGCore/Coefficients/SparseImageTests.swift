import Fixtures
import JPEGCore
import Testing

struct SparseImageTests {
  @Test func `The sparse form restores all coefficients, including large ones`() {
    var generator = SeededGenerator(seed: 11)
    let plane = CoefficientImage.Plane(columns: 40, rows: 5, firstBlock: 0)
    for largest: Int16 in [1, 127, 128, 129, 2_047, 16_383] {
      var coefficients = [Int16](repeating: 0, count: 200 * 64)
      for index in coefficients.indices where UInt8.random(in: 0...3, using: &generator) == 0 {
        coefficients[index] = Int16.random(in: -largest...largest, using: &generator)
      }
      coefficients.replaceSubrange(64..<128, with: [Int16](repeating: 0, count: 64))
      coefficients.replaceSubrange(128..<192, with: [Int16](repeating: -largest, count: 64))
      let masks = (0..<200).map {
        CoefficientImage.mask(Array(coefficients[$0 * 64..<$0 * 64 + 64]))
      }
      let image = CoefficientImage(planes: [plane], coefficients: coefficients, masks: masks)
      let sparse = SparseImage(image)
      let restored = CoefficientImage(sparse)
      #expect(restored.planes == image.planes)
      #expect(restored.coefficients == image.coefficients)
      #expect(restored.masks == image.masks)
      #expect(largest > 127 || sparse.values.count <= coefficients.count { $0 != 0 })
    }
  }

  @Test func `Images are equal only if all their blocks and coefficients are`() {
    func image(_ coefficients: [Int16], columns: Int = 2) -> SparseImage {
      let masks = [0, 64].map { CoefficientImage.mask(Array(coefficients[$0..<$0 + 64])) }
      let plane = CoefficientImage.Plane(columns: columns, rows: 2 / columns, firstBlock: 0)
      return SparseImage(
        CoefficientImage(planes: [plane], coefficients: coefficients, masks: masks)
      )
    }
    var coefficients = [Int16](repeating: 0, count: 128)
    for (position, value) in [(0, 7), (2, -3), (63, 1), (65, 300), (70, -2)] as [(Int, Int16)] {
      coefficients[position] = value
    }
    let own = image(coefficients)
    #expect(own.coefficientCount == 128)
    #expect(own.isEqual(to: image(coefficients)))
    #expect(!own.isEqual(to: image(coefficients, columns: 1)))
    for (position, value) in [
      (0, 8), (2, 3), (2, 0), (3, 1), (63, 2), (64, 1), (65, 301), (70, -1),
    ] as [(Int, Int16)] {
      var changed = coefficients
      changed[position] = value
      #expect(!own.isEqual(to: image(changed)), "\(value) at \(position)")
    }
  }

  @Test func `A run and a coefficient are coded as symbol and additional bits`() {
    let table = HuffmanTable.standard(.ac, chrominance: false)
    var tables = [HuffmanTable?](repeating: nil, count: TableIndex.count)
    tables[TableIndex.ac(1)] = table
    var short = BitWriter(codes: CodeTable(tables), expectedSize: 0)
    var long = BitWriter(codes: CodeTable(tables), expectedSize: 0)
    for run in 0..<16 {
      for value in Int8.min...Int8.max where value != 0 {
        var register = short.open()
        register.put(run: run, value: value, table: TableIndex.ac(1))
        short.close(register)
        let size = 8 - (value == .min ? Int8.min : abs(value)).leadingZeroBitCount
        let bits = UInt32(truncatingIfNeeded: value < 0 ? Int(value) - 1 : Int(value))
        register = long.open()
        register.put(symbol: run << 4 | size, table: TableIndex.ac(1), bits: bits, count: size)
        long.close(register)
      }
    }
    let lacksCode = (short.lacksCode, long.lacksCode)
    #expect(lacksCode == (false, false))
    let codes = (short.finish(), long.finish())
    #expect(codes.0 == codes.1)
  }

  @Test func `A coefficient without a code in the table is detected`() {
    let table = HuffmanTable(counts: [1] + [UInt8](repeating: 0, count: 15), symbols: [0x01])
    var tables = [HuffmanTable?](repeating: nil, count: TableIndex.count)
    tables[TableIndex.ac(0)] = table
    for (value, isMissing) in [(Int8(1), false), (-1, false), (2, true)] {
      var writer = BitWriter(codes: CodeTable(tables), expectedSize: 0)
      var register = writer.open()
      register.put(run: 0, value: value, table: TableIndex.ac(0))
      writer.close(register)
      let lacksCode = writer.lacksCode
      #expect(lacksCode == isMissing)
    }
  }
}
