import Fixtures
import ImageOrientation
import JPEGCore
import Testing

private let mirroring = OrientationTransform.allCases.filter {
  $0.movesRightEdge || $0.movesBottomEdge
}

/// Ordinary steps: small ones for low frequencies.
private func steps(_ zigzag: Int) -> UInt16 { UInt16(3 + zigzag / 2) }

struct RedrawTests {
  @Test(arguments: mirroring)
  func `An image is thinned as if it were re-encoded again`(
    transform: OrientationTransform
  ) throws {
    // Luma is block-aligned and stays as it is, chroma is not.
    var subject = try RedrawSubject(width: 24, height: 40, [0x22, 0x11, 0x11], table: steps)
    var random = RedrawRandom(state: 8)
    subject.fill { index in
      index % 64 == 0
        ? Int16.random(in: -300...300, using: &random)
        : .random(in: -2...2, using: &random)
          * .random(in: 0...(index % 7 == 0 ? 90 : 1), using: &random)
    }
    let redraw = subject.redraw(transform, .own)
    let whole = redraw.redraw(SparseImage(subject.image)).image
    for position in [1, 2, 20, 63] {
      let expected = subject.redraw(transform, .own, thinnedFrom: position).redraw(subject.image)
      let thinned = CoefficientImage(redraw.thinned(whole, from: position))
      #expect(thinned.isEqual(to: expected))
      #expect(position == 63 || !thinned.isEqual(to: CoefficientImage(whole)))
    }
  }

  // MARK: Lossless components and quantization

  @Test(arguments: OrientationTransform.allCases)
  func `Block-aligned components are transformed losslessly and keep their table`(
    transform: OrientationTransform
  ) throws {
    // Luma consists of whole blocks, chroma does not.
    var subject = try RedrawSubject(width: 24, height: 40, [0x22, 0x11, 0x11]) {
      UInt16($0 + 1)
    }
    var random = RedrawRandom(state: 7)
    subject.fill { _ in Int16.random(in: -300...300, using: &random) }
    let redraw = subject.redraw(transform, .standard)
    let result = redraw.redraw(subject.image)
    let moves = transform.movesRightEdge || transform.movesBottomEdge
    let isAligned = Redraw.isBlockAligned(
      subject.frame,
      window: subject.frame.bounds,
      transform: transform
    )
    #expect(isAligned == [true, !moves, !moves])
    for component in 0..<3 where isAligned[component] {
      let (old, new) = (subject.image.planes[component], result.planes[component])
      for block in 0..<old.columns * old.rows {
        let (column, row) = transform.destination(
          column: block % old.columns,
          row: block / old.columns,
          columns: old.columns,
          rows: old.rows
        )
        let target = new.firstBlock + row * new.columns + column
        for place in 0..<64 {
          var (v, u) = (place / 8, place % 8)
          let from = (old.firstBlock + block) * 64 + Zigzag.position[place]
          if transform.transposes { swap(&u, &v) }
          let isNegative = (transform.mirrorsX && u % 2 == 1) != (transform.mirrorsY && v % 2 == 1)
          let value = subject.image.coefficients[from]
          let moved = result.coefficients[target * 64 + Zigzag.position[v * 8 + u]]
          #expect(moved == (isNegative ? -value : value))
        }
      }
      let table = subject.tables[component]
      #expect(
        redraw.resultTables[component]
          == (transform.transposes ? Zigzag.transposed.map { table[$0] } : table)
      )
    }
    #expect(
      try redraw.restored(result, redraw.reversibleRedraw(subject.image).exceptions).coefficients
        == subject.image.coefficients
    )
  }

  @Test(arguments: [(Redraw.Quality.standard, UInt16(2)), (Redraw.Quality.compact, UInt16(1))])
  func `Re-encoded components get steps of the same size, as far as the original's allow`(
    quality: Redraw.Quality,
    part: UInt16
  ) throws {
    var subject = try RedrawSubject(width: 90, height: 90, [0x11]) {
      [1, 2, 5, 6, 7, 255, 65_535][$0 % 7]
    }
    // The noise is that of the first coefficients alone.
    subject.fill { $0 % 64 < 5 ? 9 : 0 }
    let table = subject.redraw(.rotate180, quality).resultTables[0]
    for (step, original) in zip(table, subject.tables[0]) {
      #expect(step >= 1)
      #expect(step <= max(original / part, 1))
    }
    #expect(Set(table.enumerated().filter { $0.offset % 7 > 4 }.map(\.element)).count <= 2)
  }

  @Test func `More noise is allowed if the original has more`() throws {
    let sums = try [UInt16(8), 16, 32].map { step in
      var subject = try RedrawSubject(width: 90, height: 90, [0x22, 0x11, 0x11]) { _ in step }
      subject.fill { $0 % 64 < 12 ? 9 : 0 }
      return [Redraw.Quality.max, .standard, .compact].map { quality in
        let tables = subject.redraw(.rotate180, quality).resultTables
        #expect(zip(tables[0], tables[1]).allSatisfy { $0 >= $1 })
        return tables.joined().reduce(0) { $0 + Int($1) }
      }
    }
    for quality in 1...2 {
      #expect(sums[0][quality] < sums[1][quality])
      #expect(sums[1][quality] < sums[2][quality])
    }
    for step in sums { #expect(step[0] < step[1] && step[1] < step[2]) }
  }

  @Test(arguments: mirroring, RedrawSubject.samplings)
  func `Constant samples stay constant`(transform: OrientationTransform, factors: [UInt8]) throws {
    var subject = try RedrawSubject(width: 33, height: 29, factors) { _ in 4 }
    subject.fill { $0 % 64 == 0 ? 100 : 0 }
    for quality in [Redraw.Quality.standard, .compact, .max] {
      let redraw = subject.redraw(transform, quality)
      let (image, exceptions) = try redraw.reversibleRedraw(subject.image)
      #expect(exceptions.count == 0)
      for (component, plane) in image.planes.enumerated() {
        let dc = Int16(400 / Int(redraw.resultTables[component][0]))
        for block in plane.firstBlock..<plane.firstBlock + plane.columns * plane.rows {
          #expect(image.coefficients[64 * block] == dc)
          #expect(image.masks[block] == 1)
        }
      }
      let color: Distortion.Color = factors.count == 3 ? .yCbCr : .components
      let reencoded = redraw.redraw(SparseImage(subject.image), distortion: color)
      #expect(reencoded.distortion?.psnr == .infinity)
    }
  }

  // MARK: Positions

  @Test(arguments: mirroring, RedrawSubject.samplings)
  func `Every sample of a smooth image moves to its transformed position`(
    transform: OrientationTransform,
    factors: [UInt8]
  ) throws {
    var subject = try RedrawSubject(width: 45, height: 51, factors) { _ in 1 }
    let (width, height) = (Double(subject.frame.width), Double(subject.frame.height))
    // A ramp and a curve that every transform changes.
    func level(_ component: Int, _ x: Double, _ y: Double) -> Double {
      (x / width - 0.5) * 80 + (y / height - 0.5) * (40 + 10 * Double(component))
        + 10 * (x / width) * (y / height)
    }
    subject.draw(level)
    let redraw = subject.redraw(transform, .max)
    let (image, transformed) = (
      redraw.redraw(subject.image), subject.frame.transformed(by: transform)
    )
    for component in factors.indices {
      let result = RedrawSubject.samples(
        image,
        component,
        frame: transformed,
        table: redraw.resultTables[component]
      )
      for row in 0..<result.height {
        for column in 0..<result.width {
          var x = subject.position(column, component, transformed).x
          var y = subject.position(row, component, transformed).y
          if transform.mirrorsX { x = Double(transformed.width) - 1 - x }
          if transform.mirrorsY { y = Double(transformed.height) - 1 - y }
          if transform.transposes { swap(&x, &y) }
          let difference = abs(result.values[row * result.width + column] - level(component, x, y))
          // Beyond its ends a line repeats its last sample instead of continuing the ramp.
          let isInside =
            (4..<result.width - 4).contains(column) && (4..<result.height - 4).contains(row)
          #expect(difference < (isInside ? 1.5 : 8), "\(component) at \(column), \(row)")
        }
      }
    }
  }

  @Test func `Padding of edges that do not move is kept, that of others repeats the edge`() throws {
    var subject = try RedrawSubject(width: 12, height: 12, [0x11]) { _ in 1 }
    subject.draw { _, x, y in 4 * x + 2 * y }
    let redraw = subject.redraw(.flipHorizontal, .max)
    let image = redraw.redraw(subject.image)
    let wide = try RedrawSubject(width: 16, height: 16, [0x11]) { _ in 1 }
    let result = RedrawSubject.samples(image, 0, frame: wide.frame, table: wide.tables[0])
    for y in 0..<16 {
      for x in 0..<16 {
        let expected = Double(4 * max(11 - x, 0) + 2 * y)
        #expect(abs(result.values[16 * y + x] - expected) < 1.5, "\(x), \(y)")
      }
    }
  }

  // MARK: Restoration

  @Test(arguments: 1...40, RedrawSubject.samplings)
  func `Everything is restored bit for bit`(width: Int, factors: [UInt8]) throws {
    let height = width * 7 % 40 + 1
    let transform = mirroring[width % mirroring.count]
    let quality: Redraw.Quality = [.max, .standard, .compact][width % 3]
    var random = RedrawRandom(state: UInt64(width))
    for kind in 0..<3 {
      var subject = try RedrawSubject(width: width, height: height, factors) {
        kind == 2 ? UInt16(1 + $0 % 3) : steps($0)
      }
      switch kind {
      case 0: subject.draw { c, x, y in 2 * x - Double(c) * y + (x * y).squareRoot() }
      case 1: subject.fill { Int16.random(in: -40...40, using: &random) / Int16($0 % 64 + 1) }
      default: subject.fill { _ in Int16.random(in: -1024...1023, using: &random) }
      }
      let redraw = subject.redraw(transform, quality)
      let (image, exceptions) = try redraw.reversibleRedraw(subject.image)
      let copy = try RedrawExceptions(serialized: exceptions.serialized)
      let restored = try redraw.restored(image, copy)
      #expect(restored.planes == subject.image.planes)
      #expect(restored.coefficients == subject.image.coefficients)
      #expect(restored.masks == subject.image.masks)
    }
  }

  @Test func `There are almost no exceptions except at moved edges`() throws {
    var subject = try RedrawSubject(width: 100, height: 100, [0x22, 0x11, 0x11], table: steps)
    subject.draw { c, x, y in 30 * Double((Int(x) / 9 + Int(y) / 7 + c) % 3) - 40 + x / 4 }
    let redraw = subject.redraw(.rotate180, .max)
    let none = RedrawExceptions(components: 3)
    let estimate = try redraw.restored(redraw.redraw(subject.image), none)
    var inner = 0
    for plane in subject.image.planes {
      for row in 0..<plane.rows - 1 {
        let first = (plane.firstBlock + row * plane.columns) * 64
        inner += (first..<first + 64 * (plane.columns - 1)).count {
          estimate.coefficients[$0] != subject.image.coefficients[$0]
        }
      }
    }
    #expect(inner < 5)
  }

  // MARK: Limits

  @Test(arguments: [(0, 1023, -1024), (2, 1023, -1023)])
  func `Values that are out of the eight-bit range are limited`(
    zigzag: Int,
    highest: Int16,
    lowest: Int16
  ) throws {
    // Samples are constant along x, so blocks do not change when they are shifted.
    for value: Int16 in [1500, -1500] {
      var subject = try RedrawSubject(width: 9, height: 8, [0x11]) { _ in 1 }
      subject.fill { $0 % 64 == zigzag ? value : 0 }
      let redraw = subject.redraw(.flipHorizontal, .max)
      let (image, exceptions) = try redraw.reversibleRedraw(subject.image)
      for block in 0..<2 {
        #expect(image.coefficients[64 * block + zigzag] == (value > 0 ? highest : lowest))
      }
      #expect(try redraw.restored(image, exceptions).coefficients == subject.image.coefficients)
    }
  }

  @Test func `Damaged coefficients give valid ones, and are restored`() throws {
    var subject = try RedrawSubject(width: 21, height: 19, [0x22, 0x11, 0x11]) {
      $0 % 5 == 0 ? 65_535 : 1
    }
    var random = RedrawRandom(state: 3)
    subject.fill { _ in Int16.random(in: -16_383...16_383, using: &random) }
    for quality in [Redraw.Quality.standard, .max] {
      let redraw = subject.redraw(.rotate90, quality)
      let (image, exceptions) = try redraw.reversibleRedraw(subject.image)
      for (index, value) in image.coefficients.enumerated() {
        #expect((index % 64 == 0 ? -1024...1023 : -1023...1023).contains(value))
        #expect((value != 0) == (image.masks[index / 64] >> UInt64(index % 64) & 1 == 1))
      }
      #expect(try redraw.restored(image, exceptions).coefficients == subject.image.coefficients)
    }
  }

  @Test func `The redraw is the same with and without exceptions, and on every machine`() throws {
    var subject = try RedrawSubject(width: 61, height: 43, [0x22, 0x11, 0x11], table: steps)
    var random = RedrawRandom(state: 11)
    subject.fill { Int16.random(in: -200...200, using: &random) / Int16($0 % 64 + 1) }
    let redraw = subject.redraw(.rotate180, .standard)
    let (image, exceptions) = try redraw.reversibleRedraw(subject.image)
    #expect(redraw.redraw(subject.image).coefficients == image.coefficients)
    // FNV-1a. If it changes, the exceptions of existing files are useless.
    func digest(_ values: some Sequence<UInt8>) -> UInt64 {
      values.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let bytes = image.coefficients.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    #expect(digest(bytes) == 4_543_989_575_285_147_036)
    #expect(digest(exceptions.serialized) == 1_993_788_241_988_359_617)
  }
}
