import ImageOrientation
import JPEGCore
import Testing

/// A synthetic image to be re-encoded.
struct RedrawSubject {
  var frame: Frame
  var tables: [[UInt16]]
  var image: CoefficientImage

  /// The sampling factors of the usual images, such as 0x22 for 2×2.
  static let samplings: [[UInt8]] = [
    [0x11], [0x11, 0x11, 0x11], [0x21, 0x11, 0x11], [0x12, 0x11, 0x11], [0x22, 0x11, 0x11],
    [0x41, 0x11, 0x11], [0x14, 0x11, 0x11], [0x31, 0x21, 0x11], [0x22, 0x11, 0x11, 0x22],
  ]

  /// Creates an image of zeros; `table` returns the quantization step of a zigzag position.
  init(width: Int, height: Int, _ factors: [UInt8], table: (Int) -> UInt16) throws {
    let size: [UInt8] = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let components: [UInt8] = zip(1..., factors).flatMap { [UInt8($0), $1, 0] }
    let bytes: [UInt8] =
      [0xFF, 0xC0, 0, 0, 8] + size + [UInt8(factors.count)] + components
    let segment = Segment(
      marker: Marker(rawValue: 0xC0),
      range: 0..<bytes.count,
      payload: 4..<bytes.count
    )
    frame = try Frame(segment, in: bytes.span)
    tables = factors.map { _ in (0..<64).map(table) }
    let planes = CoefficientImage.planes(of: frame)
    let blocks = planes.reduce(0) { $0 + $1.columns * $1.rows }
    image = CoefficientImage(
      planes: planes,
      coefficients: [Int16](repeating: 0, count: 64 * blocks),
      masks: [UInt64](repeating: 0, count: blocks)
    )
  }

  /// Sets every coefficient.
  mutating func fill(_ value: (_ index: Int) -> Int16) {
    for index in image.coefficients.indices {
      image.coefficients[index] = value(index)
      let bit: UInt64 = 1 << UInt64(index % 64)
      if image.coefficients[index] == 0 {
        image.masks[index / 64] &= ~bit
      } else {
        image.masks[index / 64] |= bit
      }
    }
  }

  /// Sets the coefficients to those of an image.
  ///
  /// - Parameter level: The level of a component at a place in pixels, 0 being the middle of the range.
  mutating func draw(_ level: (_ component: Int, _ x: Double, _ y: Double) -> Double) {
    var coefficients = image.coefficients
    for (index, plane) in image.planes.enumerated() {
      for block in 0..<plane.columns * plane.rows {
        let samples = (0..<64).map { place in
          level(
            index,
            position(8 * (block % plane.columns) + place % 8, index, frame).x,
            position(8 * (block / plane.columns) + place / 8, index, frame).y
          )
        }
        for (place, value) in ReferenceDCT.coefficients(samples).enumerated() {
          let zigzag = Zigzag.position[place]
          coefficients[(plane.firstBlock + block) * 64 + zigzag] = Int16(
            (value / Double(tables[index][zigzag])).rounded()
          )
        }
      }
    }
    fill { coefficients[$0] }
  }

  /// Returns the position of a sample in pixels, as a column and as a row.
  func position(_ sample: Int, _ component: Int, _ frame: Frame) -> (x: Double, y: Double) {
    let part = frame.components[component]
    func place(_ factor: Int, _ largest: Int) -> Double {
      (Double(sample) + 0.5) * Double(largest) / Double(factor) - 0.5
    }
    return (
      place(part.horizontal, frame.maxHorizontal), place(part.vertical, frame.maxVertical)
    )
  }

  func redraw(
    _ transform: OrientationTransform,
    _ quality: Redraw.Quality,
    thinnedFrom: Int? = nil
  ) -> Redraw {
    Redraw(
      of: SparseImage(image),
      frame: frame,
      tables: tables,
      transform: transform,
      color: frame.components.count == 3 ? .yCbCr : .components,
      quality: quality,
      thinnedFrom: thinnedFrom
    )
  }

  /// The samples of a component that belong to the image.
  static func samples(
    _ image: CoefficientImage,
    _ component: Int,
    frame: Frame,
    table: [UInt16]
  ) -> (width: Int, height: Int, values: [Double]) {
    let (plane, part) = (image.planes[component], frame.components[component])
    let width = (frame.width * part.horizontal).dividedUp(by: frame.maxHorizontal)
    let height = (frame.height * part.vertical).dividedUp(by: frame.maxVertical)
    var values = [Double](repeating: 0, count: width * height)
    for block in 0..<plane.columns * plane.rows {
      let coefficients = (0..<64).map { place in
        let zigzag = Zigzag.position[place]
        return Double(image.coefficients[(plane.firstBlock + block) * 64 + zigzag])
          * Double(table[zigzag])
      }
      for (place, value) in ReferenceDCT.samples(coefficients).enumerated() {
        let x = block % plane.columns * 8 + place % 8
        let y = block / plane.columns * 8 + place / 8
        if x < width, y < height { values[y * width + x] = value }
      }
    }
    return (width, height, values)
  }
}

extension Redraw {
  func redraw(_ image: CoefficientImage) -> CoefficientImage {
    CoefficientImage(redraw(SparseImage(image)).image)
  }

  func reversibleRedraw(
    _ image: CoefficientImage
  ) throws -> (image: CoefficientImage, exceptions: RedrawExceptions) {
    let reencoded = redraw(SparseImage(image), exceptions: true)
    return (CoefficientImage(reencoded.image), try #require(reencoded.exceptions))
  }

  func restored(
    _ image: CoefficientImage,
    _ exceptions: RedrawExceptions
  ) throws(RedrawExceptions.Failure) -> CoefficientImage {
    CoefficientImage(try restored(SparseImage(image), exceptions))
  }
}

/// The DCT of T.81, A.3.3, in floating point by its definition.
enum ReferenceDCT {
  /// The cosine of kπ/16.
  private static func cosine(_ k: Int) -> Double {
    let quarter = [
      1, 0.980785280403230449, 0.923879532511286756, 0.831469612302545237, 0.707106781186547524,
      0.555570233019602225, 0.382683432365089772, 0.195090322016128268, 0,
    ]
    return switch k % 32 {
    case 0...8: quarter[k % 32]
    case 9...16: -quarter[16 - k % 32]
    case 17...24: -quarter[k % 32 - 16]
    default: quarter[32 - k % 32]
    }
  }

  /// The value of each basis function, by frequency × 8 + position.
  private static let basis: [Double] = (0..<64).map { index in
    let (frequency, place) = (index / 8, index % 8)
    return cosine((2 * place + 1) * frequency) / (frequency == 0 ? 8.0.squareRoot() : 2)
  }

  /// Row by row.
  static func coefficients(_ samples: [Double]) -> [Double] {
    transformed(samples) { basis[$0 * 8 + $1] }
  }

  static func samples(_ coefficients: [Double]) -> [Double] {
    transformed(coefficients) { basis[$1 * 8 + $0] }
  }

  private static func transformed(_ values: [Double], _ factor: (Int, Int) -> Double) -> [Double] {
    var rows = [Double](repeating: 0, count: 64)
    var result = rows
    for line in 0..<8 {
      for to in 0..<8 {
        for from in 0..<8 { rows[line * 8 + to] += values[line * 8 + from] * factor(to, from) }
      }
    }
    for column in 0..<8 {
      for to in 0..<8 {
        for from in 0..<8 {
          result[to * 8 + column] += rows[from * 8 + column] * factor(to, from)
        }
      }
    }
    return result
  }
}

/// Random numbers that are the same in every run (xorshift64*).
struct RedrawRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
