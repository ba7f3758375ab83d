package import ImageOrientation

/// Redraws an eight-bit picture whose edges a turn would misplace (specification, section 3).
///
/// A turn that moves a partial block to the left or the top shifts the grid of blocks against the picture. The
/// components that this hits are decoded, cut into blocks anew and quantized with finer tables; those whose
/// grid comes to lie on itself are turned exactly and keep their tables. The same goes for a part of a picture
/// that begins within an MCU. The samples between are neither
/// rounded to whole numbers nor clamped, and every step can be taken back, so that nearly all coefficients of
/// the original follow from the redrawn ones; the others are the ``RedrawExceptions``. All arithmetic is in
/// integers: every machine gets the same coefficients, both ways.
package struct Redraw: Sendable {
  /// How closely redrawn components follow the original.
  package enum Quality: Hashable, Sendable {
    /// A quarter of the original's quantization steps.
    case standard
    /// Quantization steps of 1.
    case max
    /// The original's quantization steps, for pictures that must not grow.
    case own
  }

  /// For each component whether its grid of blocks survives; see ``keepsGrid(_:window:turn:)``.
  package let keepsGrid: [Bool]
  /// The quantization table of each component of the result, 64 values in zigzag order.
  package let resultTables: [[UInt16]]

  let components: [ComponentRedraw]
  let frame: Frame
  /// The frame of the redrawn picture.
  private let resultFrame: Frame

  /// For each component whether its grid of blocks survives a turn, so that its coefficients are moved
  /// exactly and keep their table.
  ///
  /// That takes, on each axis that is mirrored, a component of whole blocks in a picture of a whole multiple of
  /// the component's subsampling; otherwise chroma would move by a part of a sample. A part of a picture must
  /// begin, or on a mirrored axis end, at such a place.
  ///
  /// - Parameters:
  ///   - frame: The original's frame.
  ///   - window: The part of the original that is redrawn.
  ///   - turn: How to turn the picture.
  /// - Returns: Whether, for each component.
  package static func keepsGrid(_ frame: Frame, window: PixelRectangle, turn: Turn) -> [Bool] {
    geometries(frame, window, turn).map { $0.keepsGrid }
  }

  private static func geometries(
    _ frame: Frame,
    _ window: PixelRectangle,
    _ turn: Turn
  ) -> [ComponentGeometry] {
    frame.components.indices.map {
      ComponentGeometry(frame: frame, component: $0, window: window, turn: turn)
    }
  }

  /// - Parameters:
  ///   - frame: The original's frame.
  ///   - tables: The quantization table of each component, 64 values in zigzag order.
  ///   - window: The part of the original that is redrawn; all of it unless given.
  ///   - turn: How to turn the picture.
  ///   - quality: How closely to follow it.
  package init(
    frame: Frame,
    tables: [[UInt16]],
    window: PixelRectangle? = nil,
    turn: Turn,
    quality: Quality
  ) {
    let window = window ?? frame.bounds
    precondition(
      tables.count == frame.components.count && tables.allSatisfy { $0.count == 64 },
      "each component has a table of 64 steps"
    )
    let geometries = Self.geometries(frame, window, turn)
    let resultTables = zip(tables, geometries).map { table, geometry in
      let turned = turn.transposes ? Zigzag.transposed.map { table[$0] } : table
      if geometry.keepsGrid { return turned }
      return switch quality {
      case .standard: turned.map { Swift.max($0 / 4 + $0 % 4 / 2, 1) }
      case .own: turned
      case .max: [UInt16](repeating: 1, count: 64)
      }
    }
    let planes = CoefficientImage.planes(of: frame)
    resultFrame = frame.cropped(to: window).turned(by: turn)
    let resultPlanes = CoefficientImage.planes(of: resultFrame)
    components = geometries.indices.map { index in
      ComponentRedraw(
        geometry: geometries[index],
        original: BlockLayout(plane: planes[index], table: tables[index], turn: .none),
        result: BlockLayout(plane: resultPlanes[index], table: resultTables[index], turn: turn),
        isChroma: index > 0
      )
    }
    keepsGrid = geometries.map { $0.keepsGrid }
    self.resultTables = resultTables
    self.frame = frame
  }

  /// Redraws the picture.
  ///
  /// - Parameter original: The coefficients of the stored raster, unturned.
  /// - Returns: The coefficients of the window, turned.
  package func redraw(_ original: borrowing CoefficientImage) -> CoefficientImage {
    requirePlanes(of: original, frame)
    var result = CoefficientImage(zerosFor: resultFrame)
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
        component.redraw(original, into: &result.coefficients, &result.masks)
      }
    }
    return result
  }

  /// Redraws the picture, and tells what is needed to take that back.
  ///
  /// - Parameter original: The coefficients of the stored raster, unturned.
  /// - Returns: The coefficients of the turned frame, the same as ``redraw(_:)`` gives, and the exceptions.
  package func reversibleRedraw(
    _ original: borrowing CoefficientImage
  ) -> (image: CoefficientImage, exceptions: RedrawExceptions) {
    let image = redraw(original)
    return (image, exceptions(of: image, from: original))
  }

  /// What ``restored(_:_:)`` needs beside the redrawn coefficients.
  ///
  /// - Parameters:
  ///   - redrawn: The coefficients of the turned frame.
  ///   - original: Those that they were made of.
  /// - Returns: The exceptions, whose number is that of the coefficients that differ.
  package func exceptions(
    of redrawn: borrowing CoefficientImage,
    from original: borrowing CoefficientImage
  ) -> RedrawExceptions {
    requirePlanes(of: redrawn, resultFrame)
    requirePlanes(of: original, frame)
    requireWhole()
    var coder = ExceptionCoder(RangeEncoder())
    for component in components where !component.geometry.keepsGrid {
      component.record(redrawn, original, &coder)
    }
    return RedrawExceptions(count: coder.count, code: coder.coder.finish())
  }

  /// The original's coefficients, bit for bit, where all of it was redrawn.
  ///
  /// - Parameters:
  ///   - redrawn: The coefficients of the turned frame.
  ///   - exceptions: What ``reversibleRedraw(_:)`` gave with them.
  /// - Returns: The coefficients of the stored raster, unturned.
  /// - Throws: ``RedrawExceptions/Failure/otherPicture`` if the exceptions visibly do not belong to them; not
  ///   every such case can be seen.
  package func restored(
    _ redrawn: borrowing CoefficientImage,
    _ exceptions: RedrawExceptions
  ) throws(RedrawExceptions.Failure) -> CoefficientImage {
    requirePlanes(of: redrawn, resultFrame)
    requireWhole()
    var result = CoefficientImage(zerosFor: frame)
    var coder = ExceptionCoder(RangeDecoder(exceptions.code))
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
        component.restore(redrawn, &coder, into: &result.coefficients, &result.masks)
      }
    }
    guard coder.count == exceptions.count else { throw .otherPicture }
    return result
  }

  private func requireWhole() {
    precondition(
      (resultFrame.width, resultFrame.height) == (frame.width, frame.height)
        || (resultFrame.width, resultFrame.height) == (frame.height, frame.width),
      "what a part was made of cannot be restored"
    )
  }

  private func requirePlanes(of image: borrowing CoefficientImage, _ frame: Frame) {
    precondition(
      image.planes == CoefficientImage.planes(of: frame),
      "the coefficients belong to another frame"
    )
  }
}

extension CoefficientImage {
  /// The coefficients of a frame, all of them zero.
  fileprivate init(zerosFor frame: Frame) {
    let planes = Self.planes(of: frame)
    let blocks = planes.reduce(0) { $0 + $1.columns * $1.rows }
    self.init(
      planes: planes,
      coefficients: [Int16](repeating: 0, count: 64 * blocks),
      masks: [UInt64](repeating: 0, count: blocks)
    )
  }
}
