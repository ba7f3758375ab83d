internal import FileBytes
package import JPEGCore

/// A JPEG file whose scans have no data yet: a frame, Huffman tables with a code for every symbol, and scan
/// headers with a restart interval each.
package struct BlankImage: Sendable {
  /// A scan header.
  package struct Scan: Sendable {
    /// The components' indices.
    package var components: [Int]
    package var spectrum: ClosedRange<Int>
    /// Ah.
    package var high: Int
    /// Al.
    package var low: Int
    /// MCUs between restart markers; 0 for none.
    package var restartInterval = 0

    package init(
      components: [Int],
      spectrum: ClosedRange<Int> = 0...63,
      high: Int = 0,
      low: Int = 0
    ) {
      self.components = components
      self.spectrum = spectrum
      self.high = high
      self.low = low
    }
  }

  package let photo: ImageFile
  package let scans: [Scan]

  package var frame: Frame { photo.frame }

  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - factors: The sampling factors of each component, such as 0x21 for 2×1.
  ///   - isProgressive: Whether the frame is progressive.
  ///   - scans: The scans.
  ///   - generator: Chooses the Huffman tables.
  /// - Throws: ``ContainerError``.
  package init(
    width: Int,
    height: Int,
    _ factors: [UInt8],
    isProgressive: Bool,
    _ scans: [Scan],
    using generator: inout SeededGenerator
  ) throws {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
    }
    var bytes: [UInt8] = [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
    var header: [UInt8] = [8] + UInt16(height).bytes(.big) + UInt16(width).bytes(.big)
    header.append(UInt8(factors.count))
    for (index, factor) in factors.enumerated() { header += [UInt8(index + 1), factor, 0] }
    bytes += segment(isProgressive ? 0xC2 : 0xC1, header)
    for slot in 0..<2 as Range<UInt8> {
      for (tableClass, symbols) in [(0 as UInt8, 16), (1, 256)] {
        // Codes of up to 16 bits, none missing.
        let frequencies = (0..<256).map { symbol in
          symbol < symbols ? 1 << Int.random(in: 0...20, using: &generator) : 0
        }
        let table = HuffmanTable(optimalFor: frequencies).serialized
        bytes += segment(0xC4, [tableClass << 4 | slot] + table)
      }
    }
    for scan in scans {
      bytes += segment(0xDD, UInt16(scan.restartInterval).bytes(.big))
      var header = [UInt8(scan.components.count)]
      for component in scan.components {
        header += [UInt8(component + 1), UInt8(component % 2) * 0x11]
      }
      header += [UInt8(scan.spectrum.lowerBound), UInt8(scan.spectrum.upperBound)]
      header.append(UInt8(scan.high << 4 | scan.low))
      bytes += segment(0xDA, header)
    }
    photo = try ImageFile(bytes + [0xFF, 0xD9])
    self.scans = scans
  }

  /// Random coefficients.
  ///
  /// - Parameters:
  ///   - largest: The largest absolute value.
  ///   - sparsity: The number of zero coefficients for each nonzero one.
  ///   - end: The zigzag position from which all are zero.
  ///   - generator: The source of random numbers.
  /// - Returns: An image of the frame.
  package func image(
    largest: Int16,
    sparsity: Int,
    before end: Int = 64,
    using generator: inout SeededGenerator
  ) -> CoefficientImage {
    let planes = CoefficientImage.planes(of: frame)
    let count = planes.reduce(0) { $0 + $1.columns * $1.rows }
    let coefficients = (0..<count * 64).map { index -> Int16 in
      index % 64 >= end || Int.random(in: 0...sparsity, using: &generator) > 0
        ? 0 : .random(in: -largest...largest, using: &generator)
    }
    let masks = (0..<count).map {
      CoefficientImage.mask(Array(coefficients[$0 * 64..<$0 * 64 + 64]))
    }
    return CoefficientImage(planes: planes, coefficients: coefficients, masks: masks)
  }

  /// The file with an image in it.
  ///
  /// - Parameters:
  ///   - image: The coefficients.
  ///   - info: The details of the scans that the coefficients do not determine; libjpeg's by default.
  /// - Returns: The file.
  /// - Throws: ``ImageEncoder/Failure`` if a coefficient is too large for every code.
  package func coded(_ image: CoefficientImage, _ info: ReconstructionInfo? = nil) throws -> [UInt8]
  {
    try ImageEncoder(photo.parameters(), frame: frame)
      .edits(SparseImage(image), tables: .given, info).applied(to: photo.bytes)
  }
}
