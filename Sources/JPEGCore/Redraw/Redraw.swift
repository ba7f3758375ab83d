package import ImageOrientation

/// Redraws an eight-bit image whose edges a transform would misplace (specification, section 3).
///
/// A transform that moves a partial block to the left or the top shifts the grid of blocks against the image. The
/// components that this hits are decoded, divided into blocks again and quantized with finer tables; those whose
/// grid is block-aligned are transformed losslessly and keep their tables. The same goes for a part of an image
/// that begins within an MCU. The samples between are neither
/// rounded to whole numbers nor clamped, and every step can be taken back, so that nearly all coefficients of
/// the original follow from the re-encoded ones; the others are the ``RedrawExceptions``. All arithmetic is in
/// integers: every machine gets the same coefficients, both ways.
package struct Redraw: Sendable {
  /// How closely re-encoded components follow the original.
  package enum Quality: CaseIterable, Hashable, Sendable {
    /// The noise of a quarter of the original's quantization steps.
    case standard
    /// The noise of half of them, for about three quarters of the size.
    case compact
    /// Quantization steps of 1.
    case max
    /// The original's quantization steps, for images that must not grow.
    case own

    /// Where quotients are rounded up.
    package var rounding: Rounding {
      switch self {
      case .standard, .compact: .deadZone
      case .max, .own: .nearest
      }
    }
  }

  /// Where quotients are rounded up.
  package enum Rounding: Sendable {
    /// From the middle between two quotients on.
    case nearest
    /// From 0.6 on: smaller quotients take fewer bits.
    case deadZone
  }

  /// For each component whether its grid of blocks survives; see ``isBlockAligned(_:window:transform:)``.
  package let isBlockAligned: [Bool]
  /// The quantization table of each component of the result, 64 values in zigzag order.
  package let resultTables: [[UInt16]]

  private let components: [ComponentRedraw]
  private let frame: Frame
  /// The frame of the re-encoded image.
  private let resultFrame: Frame

  /// For each component whether its grid of blocks survives a transform, so that its coefficients are moved
  /// exactly and keep their table.
  ///
  /// That takes, on each axis that is mirrored, a component of whole blocks in an image of a whole multiple of
  /// the component's subsampling; otherwise chroma would move by a part of a sample. A part of an image must
  /// begin, or on a mirrored axis end, at such a place.
  ///
  /// - Parameters:
  ///   - frame: The original's frame.
  ///   - window: The part of the original that is re-encoded.
  ///   - transform: How to transform the image.
  /// - Returns: Whether, for each component.
  package static func isBlockAligned(
    _ frame: Frame,
    window: PixelRectangle,
    transform: OrientationTransform
  ) -> [Bool] {
    geometries(frame, window, transform).map { $0.isBlockAligned }
  }

  private static func geometries(
    _ frame: Frame,
    _ window: PixelRectangle,
    _ transform: OrientationTransform
  ) -> [ComponentGeometry] {
    frame.components.indices.map {
      ComponentGeometry(frame: frame, component: $0, window: window, transform: transform)
    }
  }

  /// Chooses the quantization tables of a redraw.
  ///
  /// - Parameters:
  ///   - image: The original's coefficients.
  ///   - frame: The original's frame.
  ///   - tables: The quantization table of each component, 64 values in zigzag order.
  ///   - window: The part of the original that is re-encoded; all of it unless given.
  ///   - transform: The transform.
  ///   - color: What the components say of colours.
  ///   - quality: How closely to follow the original.
  /// - Returns: The table of each component of the result: the original's where it is block-aligned.
  package static func tables(
    for image: borrowing SparseImage,
    _ frame: Frame,
    _ tables: [[UInt16]],
    window: PixelRectangle? = nil,
    transform: OrientationTransform,
    color: Distortion.Color,
    _ quality: Quality
  ) -> [[UInt16]] {
    let isAligned = isBlockAligned(frame, window: window ?? frame.bounds, transform: transform)
    let reencoded = tables.indices.filter { !isAligned[$0] }
    let components = reencoded.map { component in
      RedrawSteps.Component(
        table: tables[component],
        counts: image.counts(component),
        color: color,
        frame,
        component
      )
    }
    var result = tables
    for (component, steps) in zip(reencoded, RedrawSteps.steps(components, quality)) {
      result[component] = steps
    }
    return transform.transposes
      ? result.map { table in Zigzag.transposed.map { table[$0] } } : result
  }

  /// - Parameters:
  ///   - frame: The original's frame.
  ///   - tables: The quantization table of each component, 64 values in zigzag order.
  ///   - window: The part of the original that is re-encoded; all of it unless given.
  ///   - transform: The transform.
  ///   - resultTables: The tables of the result, see ``tables(for:_:_:window:transform:color:_:)``.
  ///   - rounding: Where re-encoded coefficients are rounded up.
  ///   - thinnedFrom: The first zigzag position from which re-encoded values of ±1 become zero; none unless given.
  package init(
    frame: Frame,
    tables: [[UInt16]],
    window: PixelRectangle? = nil,
    transform: OrientationTransform,
    resultTables: [[UInt16]],
    rounding: Rounding = .nearest,
    thinnedFrom: Int? = nil
  ) {
    let window = window ?? frame.bounds
    precondition(
      [tables, resultTables].allSatisfy { tables in
        tables.count == frame.components.count && tables.allSatisfy { $0.count == 64 }
      },
      "each component has a table of 64 steps"
    )
    let geometries = Self.geometries(frame, window, transform)
    let planes = CoefficientImage.planes(of: frame)
    resultFrame = frame.cropped(to: window).transformed(by: transform)
    let resultPlanes = CoefficientImage.planes(of: resultFrame)
    components = geometries.indices.map { index in
      ComponentRedraw(
        geometry: geometries[index],
        original: BlockLayout(plane: planes[index], table: tables[index], transform: .none),
        result: BlockLayout(
          plane: resultPlanes[index],
          table: resultTables[index],
          transform: transform,
          rounding: rounding
        ),
        thinnedFrom: thinnedFrom
      )
    }
    isBlockAligned = geometries.map { $0.isBlockAligned }
    self.resultTables = resultTables
    self.frame = frame
  }

  /// What a redraw made.
  package struct Reencoded: Sendable {
    /// The coefficients of the window, transformed.
    package var image: SparseImage
    /// Whether the original has blocks that no image of eight bits gives, in the components that were re-encoded.
    package var isOutOfRange: Bool
    /// What ``Redraw/restored(_:_:)`` needs; nil where that was not asked for.
    package var exceptions: RedrawExceptions?
    /// How much the image differs from the original; nil where that was not asked for.
    package var distortion: Distortion?
  }

  /// What is requested beside the re-encoded image.
  package struct Wish: Sendable {
    /// Whether the exceptions are; only where all of the original is re-encoded.
    package var exceptions: Bool
    /// The colours that the distortion is measured in; nil if it is not measured.
    package var distortion: Distortion.Color?

    package init(exceptions: Bool = false, distortion: Distortion.Color? = nil) {
      self.exceptions = exceptions
      self.distortion = distortion
    }
  }

  /// Redraws the image.
  ///
  /// - Parameters:
  ///   - original: The coefficients of the stored raster, untransformed.
  ///   - wish: What is requested beside the re-encoded image, which is the same whatever that is.
  /// - Returns: The re-encoded image.
  package func redraw(_ original: borrowing SparseImage, _ wish: Wish = Wish()) -> Reencoded {
    requirePlanes(of: original.planes, frame)
    if wish.exceptions { requireWhole() }
    let sweeps = components.indices.map { index in
      ComponentSweep(
        components[index],
        ComponentSweep.Task(
          recordsExceptions: wish.exceptions,
          measuredLines: wish.distortion.flatMap { color in
            isBlockAligned[index] && color == .components
              ? nil : DistortionMeter.lines(frame, component: index)
          }
        )
      )
    }
    var meter = wish.distortion.map { DistortionMeter(sweeps, size, $0) }
    // Of a component that needs its columns whole, all lines are kept.
    ConcurrentWork.perform(sweeps.count) { index in
      if !components[index].geometry.y.delay.isZero { sweeps[index].advance(original, to: .max) }
    }
    for row in 0..<frame.height.dividedUp(by: 8 * frame.maxVertical) {
      if WorkLimit.reached != nil { break }
      // While the components advance, the lines that they have come to before are measured.
      let lines = meter.map { _ in DistortionMeter.lines(of: sweeps) }
      ConcurrentWork.perform(sweeps.count + (lines == nil ? 0 : 1)) { index in
        guard index < sweeps.count else {
          meter?.advance(to: lines ?? [])
          return
        }
        sweeps[index].advance(original, to: rows(component: index) * (row + 1))
      }
    }
    meter?.advance(to: DistortionMeter.lines(of: sweeps))
    return Reencoded(
      image: SparseStore.image(sweeps.map { $0.store }, CoefficientImage.planes(of: resultFrame)),
      isOutOfRange: sweeps.contains { !$0.component.geometry.isBlockAligned && $0.isOutOfRange },
      exceptions: wish.exceptions ? RedrawExceptions(sweeps.map { $0.exceptions() }) : nil,
      distortion: meter?.distortion
    )
  }

  /// The original's coefficients, bit for bit, where all of it was re-encoded.
  ///
  /// - Parameters:
  ///   - re-encoded: The coefficients of the transformed frame.
  ///   - exceptions: What ``redraw(_:_:)`` gave with them.
  /// - Returns: The coefficients of the stored raster, untransformed.
  /// - Throws: ``RedrawExceptions/Failure/otherImage`` if the exceptions visibly do not belong to them; not
  ///   every such case can be seen.
  package func restored(
    _ reencoded: borrowing SparseImage,
    _ exceptions: RedrawExceptions
  ) throws(RedrawExceptions.Failure) -> SparseImage {
    requirePlanes(of: reencoded.planes, resultFrame)
    requireWhole()
    guard exceptions.codes.count == components.count else { throw .otherImage }
    let restorations = zip(components, exceptions.codes).map { ComponentRestoration($0, $1) }
    let rowsOfMCUs = components.indices.map { index in
      components[index].geometry.y.resultBlocks.dividedUp(by: rows(component: index))
    }
    for row in 0..<(rowsOfMCUs.max() ?? 0) {
      if WorkLimit.reached != nil { break }
      ConcurrentWork.perform(restorations.count) { index in
        restorations[index].advance(reencoded, to: rows(component: index) * (row + 1))
      }
    }
    guard restorations.reduce(0, { $0 + $1.count }) == exceptions.count else {
      throw .otherImage
    }
    return SparseStore.image(restorations.map { $0.store }, CoefficientImage.planes(of: frame))
  }

  /// The size of what is re-encoded, as it is stored.
  private var size: PixelSize {
    let x = components[0].geometry.x
    return PixelSize(width: x.pixelCount, height: components[0].geometry.y.pixelCount)
  }

  /// How many rows of blocks of a component are as high as an MCU; a single component is not in MCUs.
  private func rows(component: Int) -> Int {
    components.count == 1 ? frame.maxVertical : frame.components[component].vertical
  }

  private func requireWhole() {
    precondition(
      (resultFrame.width, resultFrame.height) == (frame.width, frame.height)
        || (resultFrame.width, resultFrame.height) == (frame.height, frame.width),
      "what a part was made of cannot be restored"
    )
  }

  private func requirePlanes(of planes: [CoefficientImage.Plane], _ frame: Frame) {
    precondition(
      planes == CoefficientImage.planes(of: frame),
      "the coefficients belong to another frame"
    )
  }
}
