internal import ImageOrientation
internal import JPEGCore

/// Measures the differences of the samples of a component between two images, as decoders display them.
///
/// It computes the samples in floating point from coefficients and tables, and shares no code with the re-encoding.
struct SampleComparison {
  struct Source {
    var frame: Frame
    var image: SparseImage
    /// The quantization table of each component, in zigzag order.
    var tables: [[UInt16]]
    let color: Distortion.Color
  }

  let old: Source
  let new: Source
  let transform: OrientationTransform

  func compare(_ component: Int) -> (psnr: Double, largest: Int) {
    let (a, b) = (samples(old, component), samples(new, component))
    let direct = isDirect(component)
    var (columns, rows) = (old.frame.width, old.frame.height)
    if direct {
      let part = old.frame.components[component]
      columns = (columns * part.horizontal).dividedUp(by: old.frame.maxHorizontal)
      rows = (rows * part.vertical).dividedUp(by: old.frame.maxVertical)
    }
    let (oldX, oldY) = places(old, component, columns, rows, direct)
    let size = transform.size(width: columns, height: rows)
    let (newX, newY) = places(new, component, size.width, size.height, direct)
    var (sum, largest) = (0.0, 0)
    for row in 0..<rows {
      var line = 0
      for column in 0..<columns {
        let place = transform.destination(column: column, row: row, columns: columns, rows: rows)
        let difference =
          a.value(oldX[column], oldY[row]) - b.value(newX[place.column], newY[place.row])
        let levels = Int(abs(difference).rounded())
        largest = max(largest, levels)
        line += levels * levels
      }
      sum += Double(line)
    }
    guard sum > 0 else { return (.infinity, largest) }
    return ((65_025 * Double(columns * rows) / sum).decibels, largest)
  }

  /// Returns whether the samples of both images are at the same positions, so that they can be compared without
  /// interpolation.
  private func isDirect(_ component: Int) -> Bool {
    let expected = old.frame.transformed(by: transform)
    let (part, other) = (old.frame.components[component], new.frame.components[component])
    guard expected.components[component].horizontal == other.horizontal,
      expected.components[component].vertical == other.vertical,
      expected.maxHorizontal == new.frame.maxHorizontal,
      expected.maxVertical == new.frame.maxVertical
    else { return false }
    let columns = old.frame.width * part.horizontal % old.frame.maxHorizontal == 0
    let rows = old.frame.height * part.vertical % old.frame.maxVertical == 0
    return (columns || !transform.movesRightEdge) && (rows || !transform.movesBottomEdge)
  }

  /// Two neighbouring samples and the weight of the second.
  struct Place {
    var first: Int
    var second: Int
    var weight: Float
  }

  /// Returns the positions of `columns` × `rows` pixels between a component's samples; those of the samples if
  /// `direct`.
  private func places(
    _ source: Source,
    _ component: Int,
    _ columns: Int,
    _ rows: Int,
    _ direct: Bool
  ) -> ([Place], [Place]) {
    let part = source.frame.components[component]
    func places(_ count: Int, _ factor: Int, _ largest: Int) -> [Place] {
      let samples = (count * factor).dividedUp(by: largest)
      return (0..<count).map { pixel in
        if direct { return Place(first: pixel, second: pixel, weight: 0) }
        let centre = (Float(pixel) + 0.5) * Float(factor) / Float(largest) - 0.5
        let place = min(max(centre, 0), Float(samples - 1))
        let first = Int(place)
        return Place(
          first: first,
          second: min(first + 1, samples - 1),
          weight: place - Float(first)
        )
      }
    }
    return (
      places(columns, part.horizontal, source.frame.maxHorizontal),
      places(rows, part.vertical, source.frame.maxVertical)
    )
  }

  /// The samples of a component, padding included.
  struct Plane {
    var width: Int
    var samples: [UInt8]

    /// Returns the interpolated value between four samples.
    @inline(__always)
    func value(_ x: Place, _ y: Place) -> Float {
      func row(_ row: Int) -> Float {
        let first = Float(samples[row * width + x.first])
        return first + (Float(samples[row * width + x.second]) - first) * x.weight
      }
      let first = row(y.first)
      return y.weight == 0 ? first : first + (row(y.second) - first) * y.weight
    }
  }

  private func samples(_ source: Source, _ component: Int) -> Plane {
    let plane = source.image.planes[component]
    let table = source.tables[component]
    let width = plane.columns * 8
    var result = [UInt8](repeating: 0, count: width * plane.rows * 8)
    for row in 0..<plane.rows {
      for column in 0..<plane.columns {
        let block = plane.firstBlock + row * plane.columns + column
        var values = [8 of SIMD8<Float>](repeating: .zero)
        var (left, coefficients) = source.image.coefficients(of: block)
        while left != 0 {
          let zigzag = left.trailingZeroBitCount
          left &= left - 1
          let place = Zigzag.natural[zigzag]
          values[place / 8][place % 8] = Float(coefficients[zigzag]) * Float(table[zigzag])
        }
        let samples = Self.pass(Self.transposed(Self.pass(values)))
        for y in 0..<8 {
          for x in 0..<8 {
            // The last transposition is omitted.
            let value = (samples[x][y] + 128).rounded()
            result[(row * 8 + y) * width + column * 8 + x] = UInt8(min(max(value, 0), 255))
          }
        }
      }
    }
    return Plane(width: width, samples: result)
  }

  /// cos((2x + 1)uπ/16) · c(u)/2 for each frequency u and place x (T.81, A.3.3).
  private static let basis: [[Float]] = {
    // cos(kπ/16) for k = 0…16 by its symmetries.
    let quarter: [Float] = [
      1, 0.980785280, 0.923879533, 0.831469612, 0.707106781, 0.555570233, 0.382683432, 0.195090322,
      0,
    ]
    func cosine(_ k: Int) -> Float {
      let k = k % 32 > 16 ? 32 - k % 32 : k % 32
      return k <= 8 ? quarter[k] : -quarter[16 - k]
    }
    return (0..<8).map { u in
      (0..<8).map { x in cosine((2 * x + 1) * u) * (u == 0 ? quarter[4] : 1) / 2 }
    }
  }()

  /// Computes eight one-dimensional inverse DCTs, one per lane.
  private static func pass(_ values: [8 of SIMD8<Float>]) -> [8 of SIMD8<Float>] {
    let basis = basis
    return [8 of SIMD8<Float>] { place in
      var sum = SIMD8<Float>.zero
      for frequency in 0..<8 { sum += values[frequency] * basis[frequency][place] }
      return sum
    }
  }

  private static func transposed(_ values: [8 of SIMD8<Float>]) -> [8 of SIMD8<Float>] {
    [8 of SIMD8<Float>] { line in
      var result = SIMD8<Float>.zero
      for lane in 0..<8 { result[lane] = values[lane][line] }
      return result
    }
  }
}
