extension Redraw {
  /// How closely the redrawn picture shows what the original does, over the visible area of each component.
  ///
  /// Components that keep their grid differ by nothing. Where chroma moved by a part of a sample, the pixels are
  /// compared that a decoder interpolates between samples.
  ///
  /// - Parameters:
  ///   - redrawn: The coefficients of the turned frame.
  ///   - original: Those that they were made of.
  /// - Returns: The differences of the components.
  package func closeness(
    of redrawn: borrowing CoefficientImage,
    to original: borrowing CoefficientImage
  ) -> Closeness {
    var differences: [Closeness.Difference] = []
    for component in components {
      guard !component.geometry.keepsGrid else {
        differences.append(Closeness.Difference(meanSquaredError: 0, largest: 0))
        continue
      }
      let new = component.redrawnSamples(redrawn)
      let old = component.originalSamples(original)
      let geometry = component.geometry
      differences.append(
        geometry.x.delay.isZero && geometry.y.delay.isZero
          ? Self.difference(of: new, to: old, geometry.x.shown, geometry.y.shown)
          : Self.interpolatedDifference(
            of: new,
            to: old,
            geometry.x.interpolation,
            geometry.y.interpolation
          )
      )
    }
    return Closeness(components: differences)
  }

  /// The difference sample by sample.
  private static func difference(
    of new: borrowing SamplePlane,
    to old: borrowing SamplePlane,
    _ columns: Range<Int>,
    _ rows: Range<Int>
  ) -> Closeness.Difference {
    var squares = 0
    var largest = SIMD8<Int16>.zero
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 8) {
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 8) {
        let (a, b) = (new.block(x: x, y: y), old.block(x: x, y: y))
        let visible = SIMD8<Int16>(0, 1, 2, 3, 4, 5, 6, 7) .< Int16(min(8, columns.upperBound &- x))
        var sums = SIMD8<Int32>.zero
        for line in 0..<min(8, rows.upperBound &- y) {
          let difference = (displayed(a[line]) &- displayed(b[line]))
            .replacing(with: 0, where: .!visible)
          largest = pointwiseMax(largest, pointwiseMax(difference, 0 &- difference))
          let wide = SIMD8<Int32>(lanes: difference)
          sums &+= wide &* wide
        }
        squares += Int(sums.wrappedSum())
      }
    }
    return Closeness.Difference(
      meanSquaredError: Double(squares) / Double(columns.count * rows.count),
      largest: Int(largest.max())
    )
  }

  /// The difference pixel by pixel.
  private static func interpolatedDifference(
    of new: borrowing SamplePlane,
    to old: borrowing SamplePlane,
    _ x: ComponentGeometry.Interpolation,
    _ y: ComponentGeometry.Interpolation
  ) -> Closeness.Difference {
    var (squares, largest) = (0, Int32(0))
    var newLine = [Int32](repeating: 0, count: new.width)
    var oldLine = newLine
    let unit = Int32(x.unit * y.unit)
    for row in y.old.indices {
      interpolate(new, y.new[row], into: &newLine)
      interpolate(old, y.old[row], into: &oldLine)
      for column in x.old.indices {
        let difference = abs(
          x.new[column].interpolated(newLine, unit) &- x.old[column].interpolated(oldLine, unit)
        )
        squares &+= Int(difference &* difference)
        largest = max(largest, difference)
      }
    }
    return Closeness.Difference(
      meanSquaredError: Double(squares) / Double(x.old.count * y.old.count),
      largest: Int(largest)
    )
  }

  /// The samples of a line between two.
  private static func interpolate(
    _ plane: borrowing SamplePlane,
    _ y: ComponentGeometry.Interpolation.Place,
    into line: inout [Int32]
  ) {
    for x in line.indices {
      line[x] =
        Int32(displayed(plane[x, y.first])) &* y.weight
        &+ Int32(displayed(plane[x, y.second])) &* y.rest
    }
  }

  /// Rounded and clamped, the middle of the range being zero.
  private static func displayed(_ value: Int16) -> Int16 {
    let digits = Int16(BlockTransform.fractionBits)
    return min(max((value &+ 1 &<< (digits &- 1)) &>> digits, -128), 127)
  }

  @inline(__always)
  private static func displayed(_ values: SIMD8<Int16>) -> SIMD8<Int16> {
    let digits = Int16(BlockTransform.fractionBits)
    let rounded = (values &+ SIMD8(repeating: 1 &<< (digits &- 1))) &>> SIMD8(repeating: digits)
    return pointwiseMax(pointwiseMin(rounded, SIMD8(repeating: 127)), SIMD8(repeating: -128))
  }
}

extension ComponentGeometry.Interpolation.Place {
  /// The value of a pixel, rounded.
  @inline(__always)
  fileprivate func interpolated(_ line: [Int32], _ unit: Int32) -> Int32 {
    let sum = line[first] &* weight &+ line[second] &* rest
    // Samples are at least -128.
    return (sum &+ 128 &* unit &+ unit / 2) / unit &- 128
  }
}
