extension BlankImage {
  /// An image of random size with random scans.
  ///
  /// - Parameters:
  ///   - factors: The sampling factors of each component.
  ///   - isProgressive: Whether the frame is progressive.
  ///   - generator: The source of random numbers.
  /// - Throws: ``ContainerError``.
  package init(
    _ factors: [UInt8],
    isProgressive: Bool,
    using generator: inout SeededGenerator
  ) throws {
    var scans =
      isProgressive
      ? Scan.progressive(factors, using: &generator) : Scan.sequential(factors, using: &generator)
    let unit = 8 * factors.reduce(1) { max($0, Int($1 >> 4)) }
    let width = Int.random(in: 1...5 * unit, using: &generator)
    for index in scans.indices {
      let intervals = [0, 0, 1, 3, (width + unit - 1) / unit]
      scans[index].restartInterval = intervals.randomElement(using: &generator) ?? 0
    }
    try self.init(
      width: width,
      height: Int.random(in: 1...80, using: &generator),
      factors,
      isProgressive: isProgressive,
      scans,
      using: &generator
    )
  }

  /// Sampling factors of common images, and unusual ones that the standard allows.
  package static let samplings: [[UInt8]] = [
    [0x11], [0x22], [0x11, 0x11, 0x11], [0x21, 0x11, 0x11], [0x12, 0x11, 0x11], [0x22, 0x11, 0x11],
    [0x41, 0x11, 0x11], [0x42, 0x11, 0x11], [0x24, 0x11, 0x11], [0x13, 0x11, 0x11],
    [0x22, 0x11], [0x11, 0x22, 0x22], [0x21, 0x11, 0x21], [0x41, 0x21, 0x22],
    [0x22, 0x11, 0x11, 0x22], [0x22, 0x11, 0x11, 0x11], [0x31, 0x11, 0x21],
  ]
}

extension BlankImage.Scan {
  /// Scans of a sequential image, each with some of its components.
  static func sequential(_ factors: [UInt8], using generator: inout SeededGenerator) -> [Self] {
    groups(factors, using: &generator).map { Self(components: $0) }
  }

  /// Scans of a progressive image: with DC coefficients together or not, with bands of AC coefficients, and with
  /// up to three bits in refinement scans.
  static func progressive(_ factors: [UInt8], using generator: inout SeededGenerator) -> [Self] {
    var (first, later): ([Self], [[Self]]) = ([], [])
    let low = Int.random(in: 0...3, using: &generator)
    first = groups(factors, using: &generator).map {
      Self(components: $0, spectrum: 0...0, low: low)
    }
    var refinements: [Self] = []
    for bit in (0..<low).reversed() {
      refinements += groups(factors, using: &generator).map {
        Self(components: $0, spectrum: 0...0, high: bit + 1, low: bit)
      }
    }
    later.append(refinements)
    for component in factors.indices {
      for band in bands(using: &generator) {
        let low = Int.random(in: 0...3, using: &generator)
        let scan = Self(components: [component], spectrum: band, low: low)
        later.append(
          [scan]
            + (0..<low).reversed().map { bit in
              Self(components: [component], spectrum: band, high: bit + 1, low: bit)
            }
        )
      }
    }
    while let next = later.indices.filter({ !later[$0].isEmpty }).randomElement(using: &generator) {
      first.append(later[next].removeFirst())
    }
    return first
  }

  /// The components in groups that scans can have.
  private static func groups(
    _ factors: [UInt8],
    using generator: inout SeededGenerator
  ) -> [[Int]] {
    var groups: [[Int]] = []
    var blocks = 0
    for (component, factor) in factors.enumerated() {
      let own = Int(factor >> 4) * Int(factor & 15)
      blocks += own
      if groups.isEmpty || blocks > 10 || Int.random(in: 0...3, using: &generator) == 0 {
        groups.append([])
        blocks = own
      }
      groups[groups.count - 1].append(component)
    }
    return groups.shuffled(using: &generator)
  }

  private static func bands(using generator: inout SeededGenerator) -> [ClosedRange<Int>] {
    let cuts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      Int.random(in: 2...63, using: &generator)
    }
    let starts = Set([1] + cuts).sorted()
    return zip(starts, starts.dropFirst() + [64]).map { $0...$1 - 1 }
  }
}
