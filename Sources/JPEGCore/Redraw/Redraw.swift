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

  let components: [ComponentRedraw]
  let frame: Frame
  /// The size of the re-encoded part in pixels, as stored.
  private let size: PixelSize
  let resultFrame: Frame

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
  package struct Reencoded<Image> {
    /// The coefficients of the window, transformed.
    package var image: Image
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
  ) -> Reencoded<SparseImage> {
    reencoded(original, SparseForm(), exceptions, color) { SparseImage($0, $1) }
  }

  /// Re-encodes the image as runs, counted, as ``redraw(_:exceptions:distortion:)`` does as values.
  package func redrawRuns(
    _ original: borrowing SparseImage,
    exceptions: Bool = false,
    distortion color: Distortion.Color? = nil
  ) -> Reencoded<RunImage> {
    reencoded(original, RunForm(components: components.count), exceptions, color) {
      RunImage($0, $1)
    }
  }

  private func reencoded<Form: BlockForm, Image>(
    _ original: borrowing SparseImage,
    _ form: Form,
    _ exceptions: Bool,
    _ color: Distortion.Color?,
    _ join: ([BlockStore<Form>], [CoefficientImage.Plane]) -> Image
  ) -> Reencoded<Image> {
    requirePlanes(of: original.planes, frame)
    if exceptions { requireWhole() }
    // All samples are released before the blocks of the components are joined.
    let swept = sweep(original, form, exceptions: exceptions, distortion: color)
    return Reencoded(
      image: join(swept.image, CoefficientImage.planes(of: resultFrame)),
      isOutOfRange: swept.isOutOfRange,
      exceptions: swept.exceptions,
      distortion: swept.distortion
    )
  }

  private func sweep<Form: BlockForm>(
    _ original: borrowing SparseImage,
    _ form: Form,
    exceptions: Bool,
    distortion color: Distortion.Color?
  ) -> Reencoded<[BlockStore<Form>]> {
    var sweeps: [ComponentSweep<Form>] = []
    for (index, component) in components.enumerated() {
      let isMeasured =
        color.map { $0.mixesComponents || !component.geometry.isBlockAligned } ?? false
      let store = ComponentStore(
        form,
        component: index,
        component.result,
        columns: component.geometry.x.resultBlocks,
        of: original
      )
      let sweep = ComponentSweep(
        component,
        into: store,
        recordsExceptions: exceptions,
        measuredLines: isMeasured ? DistortionMeter.lines(frame, component: index) : nil
      )
      sweeps.append(sweep)
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
    return Reencoded(
      image: sweeps.map { $0.store.blocks },
      isOutOfRange: sweeps.contains { !$0.component.geometry.isBlockAligned && $0.isOutOfRange },
      exceptions: exceptions ? RedrawExceptions(sweeps.map { $0.exceptions() }) : nil,
      distortion: meter?.distortion
    )
  }

  /// Returns the number of rows of blocks of a component in an MCU; a single component has no interleaved MCUs.
  func rows(component: Int) -> Int {
    components.count == 1 ? frame.maxVertical : frame.components[component].vertical
  }

  func requireWhole() {
    precondition(
      components.allSatisfy { $0.geometry.isWhole },
      "what a part was made of cannot be restored"
    )
  }

  func requirePlanes(of planes: [CoefficientImage.Plane], _ frame: Frame) {
    precondition(
      planes == CoefficientImage.planes(of: frame),
      "the coefficients belong to another frame"
    )
  }
}
