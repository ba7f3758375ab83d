internal import ImageOrientation
internal import JPEGCore
internal import Upright

/// An image of the original and one of the result, decoded, and how they correspond under a transform.
struct ImagePair {
  typealias Source = SampleComparison.Source

  let old: Source
  let new: Source
  let transform: OrientationTransform
  let expected: Frame
  /// The part of the original of whole MCUs that the transform keeps.
  let trimmed: Frame
  let hasFrame: Bool
  /// Whether every coefficient is equal, by component.
  let keepsCoefficients: [Bool]
  /// Whether the transform can be lossless, by component.
  let mayBeLossless: [Bool]
  /// Whether the quantization table is the original's, transposed if the transform transposes, by component.
  let keepsTable: [Bool]
  private let comparison: CoefficientComparison

  init(_ old: Source, _ new: Source, _ transform: OrientationTransform) {
    (self.old, self.new, self.transform) = (old, new, transform)
    let frame = old.frame
    expected = frame.transformed(by: transform)
    trimmed = frame.trimmed(for: transform)
    let hasFrame = Self.isSame(expected, new.frame)
    let comparison = CoefficientComparison(old.image, new.image, transform: transform)
    keepsCoefficients = frame.components.indices.map {
      hasFrame && comparison.isLossless($0, within: frame)
    }
    mayBeLossless = frame.components.indices.map { Self.isBlockAligned(frame, $0, transform) }
    keepsTable = zip(old.tables, new.tables).map { old, new in
      (0..<64).allSatisfy { place in
        let (row, column) = (place / 8, place % 8)
        let source = transform.transposes ? column * 8 + row : place
        return new[Zigzag.position[place]] == old[Zigzag.position[source]]
      }
    }
    (self.hasFrame, self.comparison) = (hasFrame, comparison)
  }

  var isLossless: Bool {
    hasFrame && keepsCoefficients.allSatisfy { $0 } && mayBeLossless.allSatisfy { $0 }
  }

  var hasPartialMCUs: Bool { trimmed != old.frame && trimmed.width > 0 && trimmed.height > 0 }

  var keepsWholeMCUs: Bool {
    old.frame.components.indices.allSatisfy { comparison.isLossless($0, within: trimmed) }
  }

  var isTrimmed: Bool {
    hasPartialMCUs && Self.isSame(trimmed.transformed(by: transform), new.frame) && keepsWholeMCUs
  }

  var trimmedEdges: TrimmedEdges {
    TrimmedEdges(
      columns: old.frame.width - trimmed.width,
      rows: old.frame.height - trimmed.height
    )
  }

  /// Another transform that is lossless for the result, or nil if there is none or the image matches the expected one,
  /// too.
  var otherTransform: OrientationTransform? {
    let frame = old.frame
    let other = OrientationTransform.allCases.first { other in
      guard other != transform, Self.isSame(frame.transformed(by: other), new.frame) else {
        return false
      }
      let comparison = CoefficientComparison(old.image, new.image, transform: other)
      return frame.components.indices.allSatisfy { comparison.isLossless($0, within: frame) }
    }
    return other.flatMap { looksTransformed ? nil : $0 }
  }

  /// Whether the image matches the expected transform although another transform matches too.
  ///
  /// An image of one color is equal to its transforms.
  private var looksTransformed: Bool {
    guard hasFrame else { return false }
    return isRedraw
      || keepsCoefficients.indices.allSatisfy {
        keepsCoefficients[$0]
          || !mayBeLossless[$0] && samples.compare($0).largest == 0
      }
  }

  private var samples: SampleComparison {
    SampleComparison(old: old, new: new, transform: transform)
  }

  func components() -> [Verdict.Component] {
    keepsCoefficients.indices.map { component in
      if keepsCoefficients[component], mayBeLossless[component], keepsTable[component] {
        return .lossless
      }
      let (psnr, largest) = samples.compare(component)
      return Verdict.Component(isLossless: false, psnr: psnr, largestError: largest)
    }
  }

  /// Whether a quantization step of the result is larger than the original's.
  var isCoarser: Bool {
    zip(old.tables, new.tables).contains { old, new in
      let transformed = transform.transposes ? Zigzag.transposed.map { old[$0] } : old
      return zip(transformed, new).contains { $1 > $0 }
    }
  }

  /// Whether the image has the coefficients of Upright's re-encoding of the original.
  ///
  /// With very coarse quantization tables, such an image can have a low PSNR.
  var isRedraw: Bool {
    Redraw.Quality.allCases.contains { quality in
      let redraw = old.redraw(transform, quality)
      return redraw.resultTables == new.tables
        && redraw.redraw(old.image).image.isEqual(to: new.image)
    }
  }

  /// Returns whether size and sampling are equal.
  ///
  /// The sampling of a single component has no meaning.
  private static func isSame(_ a: Frame, _ b: Frame) -> Bool {
    a.size == b.size
      && (a.components.count == 1
        || zip(a.components, b.components).allSatisfy {
          ($0.horizontal, $0.vertical) == ($1.horizontal, $1.vertical)
        })
  }

  /// Returns whether the blocks of a component are aligned with those of the transformed image: whether the edges that
  /// the transform moves are at block and sample boundaries.
  private static func isBlockAligned(
    _ frame: Frame,
    _ component: Int,
    _ transform: OrientationTransform
  ) -> Bool {
    let part = frame.components[component]
    let columns = frame.width * part.horizontal % (8 * frame.maxHorizontal) == 0
    let rows = frame.height * part.vertical % (8 * frame.maxVertical) == 0
    return (columns || !transform.movesRightEdge) && (rows || !transform.movesBottomEdge)
  }
}

extension SampleComparison.Source {
  /// Returns Upright's re-encoding of the image.
  func redraw(_ transform: OrientationTransform, _ quality: Redraw.Quality) -> Redraw {
    Redraw(
      of: image,
      frame: frame,
      tables: tables,
      transform: transform,
      color: color,
      quality: quality
    )
  }
}
