package import ImageOrientation

/// Redraws a picture whose edges a turn would misplace (specification, section 3).
///
/// A turn that moves a partial block to the left or the top shifts the grid of blocks against the picture. The
/// components whose grid that hits are decoded, cut into blocks anew and quantized with finer tables; those
/// whose grid comes to lie on itself are turned exactly and keep their tables. All arithmetic is in integers,
/// so that every machine gets the same coefficients.
package struct Redraw: Sendable {
  /// How closely redrawn components follow the original.
  package enum Quality: Hashable, Sendable {
    /// A quarter of the original's quantization steps.
    case standard
    /// Quantization steps of 1.
    case max
  }

  /// For each component whether its grid of blocks survives the turn, so that its coefficients are moved
  /// exactly and keep their table.
  package let keepsGrid: [Bool]
  /// The quantization table of each component of the result, 64 values in zigzag order.
  package let resultTables: [[UInt16]]

  private let components: [ComponentRedraw]
  private let originalPlanes: [CoefficientImage.Plane]
  private let resultPlanes: [CoefficientImage.Plane]

  /// - Parameters:
  ///   - frame: The original's frame.
  ///   - tables: The quantization table of each component, 64 values in zigzag order.
  ///   - turn: How to turn the picture.
  ///   - quality: How closely to follow it.
  package init(frame: Frame, tables: [[UInt16]], turn: Turn, quality: Quality) {
    precondition(
      tables.count == frame.components.count && tables.allSatisfy { $0.count == 64 },
      "each component has a table of 64 steps"
    )
    let geometries = frame.components.indices.map {
      ComponentGeometry(frame: frame, component: $0, turn: turn)
    }
    keepsGrid = geometries.map(\.keepsGrid)
    let resultTables = zip(tables, geometries).map { table, geometry in
      let turned = turn.transposes ? Zigzag.transposed.map { table[$0] } : table
      if geometry.keepsGrid { return turned }
      return switch quality {
      case .standard: turned.map { max($0 / 4 + ($0 % 4) / 2, 1) }
      case .max: [UInt16](repeating: 1, count: 64)
      }
    }
    let originalPlanes = CoefficientImage.planes(of: frame)
    let resultPlanes = CoefficientImage.planes(of: frame.turned(by: turn))
    components = geometries.indices.map { index in
      ComponentRedraw(
        geometry: geometries[index],
        original: BlockLayout(plane: originalPlanes[index], table: tables[index], turn: .none),
        result: BlockLayout(plane: resultPlanes[index], table: resultTables[index], turn: turn)
      )
    }
    self.resultTables = resultTables
    self.originalPlanes = originalPlanes
    self.resultPlanes = resultPlanes
  }

  /// Redraws the picture.
  ///
  /// - Parameter original: The coefficients of the stored raster, unturned.
  /// - Returns: The coefficients of the turned frame.
  package func redraw(_ original: borrowing CoefficientImage) -> CoefficientImage {
    precondition(original.planes == originalPlanes, "the coefficients belong to another frame")
    var result = CoefficientImage(zeros: resultPlanes)
    for component in components {
      if component.geometry.keepsGrid {
        component.move(
          original,
          component.original,
          to: component.result,
          into: &result.coefficients,
          &result.masks
        )
      } else {
        component.draw(component.originalSamples(original), into: &result)
      }
    }
    return result
  }

  package func restored(_ redrawn: borrowing CoefficientImage) -> CoefficientImage {
    precondition(redrawn.planes == resultPlanes, "the coefficients belong to another frame")
    var result = CoefficientImage(zeros: originalPlanes)
    for component in components {
      if component.geometry.keepsGrid {
        component.move(
          redrawn,
          component.result,
          to: component.original,
          into: &result.coefficients,
          &result.masks
        )
      } else {
        component.restore(component.redrawnSamples(redrawn), into: &result)
      }
    }
    return result
  }
}

extension CoefficientImage {
  /// Planes without a coefficient that is not zero.
  fileprivate init(zeros planes: [Plane]) {
    let blocks = planes.reduce(0) { $0 + $1.columns * $1.rows }
    self.init(
      planes: planes,
      coefficients: [Int16](repeating: 0, count: 64 * blocks),
      masks: [UInt64](repeating: 0, count: blocks)
    )
  }
}
