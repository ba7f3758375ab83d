package import ImageOrientation

/// Re-encodes the components of an eight-bit image whose blocks a transform would misalign (specification, section 3).
///
/// A transform that moves a partial block to the left or the top shifts the grid of blocks against the image, and so
/// does a crop that begins within an MCU. The affected components are decoded, divided into blocks on the new grid and
/// quantized with finer tables. Block-aligned components are transformed losslessly and keep their tables.
///
/// Samples are neither rounded to integers nor clamped, and every step is reversible. Nearly all coefficients of the
/// original therefore follow from the re-encoded ones; the others are the ``RedrawExceptions``. All arithmetic uses
/// integers, so every machine computes the same coefficients in both directions.
package struct Redraw: Sendable {
  /// The quality of re-encoded components.
  package enum Quality: CaseIterable, Hashable, Sendable {
    /// A quarter of the noise of the original's quantization steps.
    case standard
    /// Half of that noise, for about three quarters of the size of `standard`.
    case compact
    /// Quantization steps of 1.
    case max
    /// The original's quantization steps, for images that must not grow.
    case own

    /// How quotients are rounded.
    package var rounding: Rounding {
      switch self {
      case .standard, .compact: .deadZone
      case .max, .own: .nearest
      }
    }
  }

  /// How quotients are rounded.
  package enum Rounding: Sendable {
    /// Up from the middle between two quotients.
    case nearest
    /// Up from 0.6 (a dead zone): smaller quotients take fewer bits.
    case deadZone
  }

  /// The quantization table of each component of the result, 64 values in zigzag order.
  package let resultTables: [[UInt16]]

  private let components: [ComponentRedraw]
  private let frame: Frame
  /// The size of the re-encoded part in pixels, as stored.
  private let size: PixelSize
  private let resultFrame: Frame

  /// Returns for each component whether it is block-aligned under a transform, which is then lossless.
  ///
  /// On each mirrored axis this requires a component of whole blocks, and an image size that is a multiple of the
  /// component's subsampling; otherwise chroma would move by a fraction of a sample. A window must begin, or on a
  /// mirrored axis end, at such a position.
  package static func isBlockAligned(
    _ frame: Frame,
    window: PixelRectangle,
    transform: OrientationTransform
  ) -> [Bool] {
    frame.components.indices.map {
      ComponentGeometry(frame: frame, component: $0, window: window, transform: transform)
        .isBlockAligned
    }
  }

  /// Creates the redraw of an image with the quantization tables of a quality; block-aligned components keep theirs.
  ///
  /// The tables of the original are in zigzag order. Without a window, all of it is re-encoded. Re-encoded values of ±1
  /// become zero from zigzag position `thinnedFrom` on.
  package init(
    of image: borrowing SparseImage,
    frame: Frame,
    tables: [[UInt16]],
    window: PixelRectangle? = nil,
    transform: OrientationTransform,
    color: Distortion.Color,
    quality: Quality,
    thinnedFrom: Int? = nil
  ) {
    let isAligned = Self.isBlockAligned(frame, window: window ?? frame.bounds, transform: transform)
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
    var resultTables = tables
    for (component, steps) in zip(reencoded, RedrawSteps.steps(components, quality)) {
      resultTables[component] = steps
    }
    if transform.transposes {
      resultTables = resultTables.map { table in Zigzag.transposed.map { table[$0] } }
    }
    self.init(
      frame: frame,
      tables: tables,
      window: window,
      transform: transform,
      resultTables: resultTables,
      rounding: quality.rounding,
      thinnedFrom: thinnedFrom
    )
  }

  /// Creates the redraw from both images' tables.
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
    let planes = CoefficientImage.planes(of: frame)
    resultFrame = frame.cropped(to: window).transformed(by: transform)
    let resultPlanes = CoefficientImage.planes(of: resultFrame)
    components = frame.components.indices.map { index in
      ComponentRedraw(
        geometry: ComponentGeometry(
          frame: frame,
          component: index,
          window: window,
          transform: transform
        ),
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
    self.resultTables = resultTables
    (self.frame, size) = (frame, window.size)
  }

  /// Whether each component is re-encoded.
  var isReencoded: [Bool] { components.map { !$0.geometry.isBlockAligned } }

  /// The result of a redraw.
  package struct Reencoded: Sendable {
    /// The coefficients of the window, transformed.
    package var image: SparseImage
    /// Whether a re-encoded component of the original has blocks that no eight-bit image has.
    package var isOutOfRange: Bool
    /// The exceptions for ``Redraw/restored(_:_:)``; nil if they were not requested.
    package var exceptions: RedrawExceptions?
    /// The difference from the original; nil if it was not requested.
    package var distortion: Distortion?
  }

  /// Re-encodes the image, of which the untransformed coefficients are given.
  ///
  /// Exceptions can be requested if the whole original is re-encoded, the distortion by its color model.
  package func redraw(
    _ original: borrowing SparseImage,
    exceptions: Bool = false,
    distortion color: Distortion.Color? = nil
  ) -> Reencoded {
    requirePlanes(of: original.planes, frame)
    if exceptions { requireWhole() }
    // All samples are released before the blocks of the components are joined.
    var swept = sweep(original, exceptions: exceptions, distortion: color)
    let stores = swept.stores
    swept.stores = []
    return Reencoded(
      image: SparseStore.image(stores, CoefficientImage.planes(of: resultFrame)),
      isOutOfRange: swept.isOutOfRange,
      exceptions: swept.exceptions,
      distortion: swept.distortion
    )
  }

  /// The result of a redraw, with the components apart.
  private struct Swept {
    var stores: [SparseStore]
    var isOutOfRange: Bool
    var exceptions: RedrawExceptions?
    var distortion: Distortion?
  }

  private func sweep(
    _ original: borrowing SparseImage,
    exceptions: Bool,
    distortion color: Distortion.Color?
  ) -> Swept {
    let sweeps = components.enumerated().map { index, component in
      let isMeasured =
        color.map { $0.mixesComponents || !component.geometry.isBlockAligned } ?? false
      return ComponentSweep(
        component,
        recordsExceptions: exceptions,
        measuredLines: isMeasured ? DistortionMeter.lines(frame, component: index) : nil
      )
    }
    var meter = color.map { DistortionMeter(sweeps, size, $0) }
    // A component with a vertical delay requires whole columns, and all its lines are kept.
    ConcurrentWork.perform(sweeps.count) { index in
      if !components[index].geometry.y.delay.isZero { sweeps[index].advance(original, to: .max) }
    }
    for row in 0..<frame.height.dividedUp(by: 8 * frame.maxVertical) {
      if WorkLimit.reached != nil { break }
      // While the components advance, the lines that are complete so far are measured.
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
    return Swept(
      stores: sweeps.map { $0.store },
      isOutOfRange: sweeps.contains { !$0.component.geometry.isBlockAligned && $0.isOutOfRange },
      exceptions: exceptions ? RedrawExceptions(sweeps.map { $0.exceptions() }) : nil,
      distortion: meter?.distortion
    )
  }

  /// Returns the original's untransformed coefficients, bit for bit; the whole original must have been re-encoded.
  ///
  /// Not every case of exceptions that belong to another image can be detected.
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

  /// Returns the number of rows of blocks of a component in an MCU; a single component has no interleaved MCUs.
  private func rows(component: Int) -> Int {
    components.count == 1 ? frame.maxVertical : frame.components[component].vertical
  }

  private func requireWhole() {
    precondition(
      components.allSatisfy { $0.geometry.isWhole },
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
