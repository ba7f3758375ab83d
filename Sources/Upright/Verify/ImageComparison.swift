internal import ImageOrientation
internal import JPEGCore

/// Compares an image of the original with the same image of the result.
struct ImageComparison {
  let old: Header
  let new: Header
  let role: EmbeddedImage.Role?
  /// The expected transform.
  let transform: OrientationTransform
  let limits: DecodingLimits

  /// The lowest accepted PSNR of re-encoded components, in decibels.
  ///
  /// Re-encoded photos measure 34 dB and more; embedded images that must not grow, 26 dB.
  private var lowestPSNR: Double { role == nil ? 30 : 20 }

  /// The largest difference, in levels, at which an image counts as flat.
  private static let flatness = 4

  private var name: String { role.map { "the \($0.rawValue)" } ?? "the image" }
  private var start: (old: Int, new: Int) {
    (
      old.container.segments[0].range.lowerBound, new.container.segments[0].range.lowerBound
    )
  }

  /// Compares coefficients, tables and frames.
  ///
  /// - Throws: ``Verifier/Unreadable`` when one of the two cannot be decoded.
  func compare(_ ledger: inout Ledger) throws(Verifier.Unreadable) -> Verdict.Image {
    var image = Verdict.Image(
      role: role,
      original: start.old..<old.container.end,
      result: start.new..<new.container.end,
      transform: transform,
      relation: .different,
      components: [],
      coefficients: 0
    )
    let sources: (SampleComparison.Source, SampleComparison.Source)
    do throws(Verifier.Unreadable) {
      sources = (
        try source(old, ledger.original, .original), try source(new, ledger.result, .result)
      )
    } catch {
      // The same coding has the same coefficients, even if it cannot be decoded.
      guard transform == .none, hasSameCoding(ledger) else { throw error }
      image.relation = .lossless
      image.components = old.frame.components.map { _ in
        Verdict.Component(isLossless: true, psnr: .infinity, largestError: 0)
      }
      return image
    }
    image.coefficients = sources.0.image.coefficients.count
    guard old.frame.components.count == new.frame.components.count else {
      ledger.find(
        "component-count",
        "\(name) has \(new.frame.components.count) components instead of \(old.frame.components.count)",
        original: start.old,
        result: start.new
      )
      return image
    }
    relate(sources.0, sources.1, &image, &ledger)
    compareCoding(&ledger)
    return image
  }

  /// Returns whether all segments without metadata and all scans have the same bytes.
  private func hasSameCoding(_ ledger: Ledger) -> Bool {
    func ranges(_ container: Container) -> [Range<Int>] {
      container.segments.filter { !$0.marker.carriesMetadata }.map { $0.range }
        + container.scans.map { $0.data }
    }
    let (a, b) = (ranges(old.container), ranges(new.container))
    return a.count == b.count && zip(a, b).allSatisfy { ledger.isEqual($0, $1) }
  }

  /// Returns whether an unchanged image is equal to its transform.
  func looksSameTransformed(_ ledger: Ledger) -> Bool {
    var scratch = Ledger(original: ledger.original, result: ledger.result)
    return (try? compare(&scratch)) != nil && scratch.findings.isEmpty
  }

  /// Returns whether the original's image can be decoded.
  func isDecodable(_ ledger: Ledger) -> Bool {
    (try? source(old, ledger.original, .original)) != nil
  }

  /// Returns whether the transform requires the image to be re-encoded, and its coefficients or quantization steps
  /// give no samples.
  func cannotBeReencoded(_ ledger: Ledger) -> Bool {
    guard !old.frame.isLossless(old.frame.bounds, under: transform),
      let source = try? source(old, ledger.original, .original)
    else { return false }
    guard source.tables.allSatisfy({ !$0.contains(0) }) else { return true }
    let image = SparseImage(source.image)
    let tables = Redraw.tables(
      for: image,
      source.frame,
      source.tables,
      transform: transform,
      color: source.color,
      .own
    )
    return redraw(source, tables, .own).redraw(image).isOutOfRange
  }

  private func source(
    _ header: Header,
    _ bytes: [UInt8],
    _ file: Verifier.File
  ) throws(Verifier.Unreadable) -> SampleComparison.Source {
    let frame = header.frame
    let offset = header.container.segments[0].range.lowerBound
    guard frame.precision == 8, frame.height > 0, !frame.process.isLossless,
      !frame.process.isHierarchical
    else {
      throw Verifier.Unreadable(
        file: file,
        error: UprightError(
          .malformed,
          at: offset,
          "the coding process or sample precision is not supported"
        )
      )
    }
    if let reason = limits.refusal(frame, scans: header.container.scans.count, isReencoded: true) {
      throw Verifier.Unreadable(
        file: file,
        error: UprightError(.limit, at: offset, reason.explanation)
      )
    }
    let image: CoefficientImage
    do throws(UprightError) {
      let decoding = try ImageDecoding(header.container, frame, bytes)
      image = CoefficientImage(try decoding.referenceCoefficients(bytes))
    } catch {
      throw Verifier.Unreadable(file: file, error: error)
    }
    do throws(ContainerError) {
      let tables = try QuantizationTables.tables(
        of: frame,
        in: header.container,
        bytes.span,
        zerosAllowed: true
      )
      return SampleComparison.Source(
        frame: frame,
        image: image,
        tables: tables,
        color: header.container.color(frame, bytes.span)
      )
    } catch {
      throw Verifier.Unreadable(file: file, error: UprightError(error))
    }
  }

  /// Determines the relation of the two images.
  private func relate(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source,
    _ image: inout Verdict.Image,
    _ ledger: inout Ledger
  ) {
    let comparison = CoefficientComparison(a.image, b.image, transform: transform)
    let components = a.frame.components.indices
    let expected = a.frame.transformed(by: transform)
    let trimmed = a.frame.trimmed(for: transform)
    let hasFrame = Self.isSame(expected, b.frame)
    let lossless = components.map { hasFrame && comparison.isLossless($0, within: a.frame) }
    let mayBeLossless = components.map { Self.isBlockAligned(a.frame, $0, transform) }
    let tables = compareTables(a, b)

    if hasFrame, lossless.allSatisfy({ $0 }), mayBeLossless.allSatisfy({ $0 }) {
      image.relation = tables.allSatisfy { $0 } ? .lossless : .different
      image.components = lossless.map { _ in
        Verdict.Component(isLossless: true, psnr: .infinity, largestError: 0)
      }
      report(tables, "quantization-table", &ledger)
      return
    }
    let isCut = trimmed != a.frame && trimmed.width > 0 && trimmed.height > 0
    if isCut, Self.isSame(trimmed.transformed(by: transform), b.frame),
      components.allSatisfy({ comparison.isLossless($0, within: trimmed) })
    {
      image.relation = .trimmed
      ledger.note(
        "trimmed",
        "\(name) lost \(TrimmedEdges(columns: a.frame.width - trimmed.width, rows: a.frame.height - trimmed.height).text)",
        original: start.old,
        result: start.new
      )
      report(tables, "quantization-table", &ledger)
      return
    }
    if let other = otherTransform(a, b), !looksTransformed(a, b, lossless, mayBeLossless) {
      image.transform = other
      let isKept = other == .none
      ledger.find(
        isKept ? "not-transformed" : "wrong-transform",
        isKept
          ? "\(name) was not transformed; expected: \(transform)"
          : "\(name) was transformed by: \(other); expected: \(transform)",
        original: start.old,
        result: start.new
      )
      return
    }
    guard expected.size == b.frame.size else {
      ledger.find(
        "dimensions",
        "\(name) is \(b.frame.width)×\(b.frame.height) instead of \(expected.width)×\(expected.height)",
        original: start.old,
        result: start.new
      )
      return
    }
    let samples = SampleComparison(old: a, new: b, transform: transform)
    image.components = components.map { component in
      if lossless[component], mayBeLossless[component], tables[component] {
        return Verdict.Component(isLossless: true, psnr: .infinity, largestError: 0)
      }
      let (psnr, largest) = samples.compare(component)
      return Verdict.Component(isLossless: false, psnr: psnr, largestError: largest)
    }
    // In a flat image all blocks are the same, so misplaced ones do not matter.
    let isFarOff = image.components.contains { $0.largestError > Self.flatness }
    if isFarOff, isCut, hasFrame,
      components.allSatisfy({ comparison.isLossless($0, within: trimmed) })
    {
      ledger.find(
        "edge-strip",
        "a strip at the edge of \(name) is in the wrong place: "
          + TrimmedEdges(
            columns: a.frame.width - trimmed.width,
            rows: a.frame.height - trimmed.height
          ).text,
        original: start.old,
        result: start.new
      )
      return
    }
    judgeRedraw(a, b, mayBeLossless, &image, &ledger)
  }

  /// Checks that an image was re-encoded only where a lossless transform is impossible, and without visible loss.
  private func judgeRedraw(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source,
    _ mayBeLossless: [Bool],
    _ image: inout Verdict.Image,
    _ ledger: inout Ledger
  ) {
    let needless = image.components.indices.filter {
      mayBeLossless[$0] && !image.components[$0].isLossless
    }
    let lowest = image.components.map { $0.psnr }.min() ?? .infinity
    let figures =
      "lowest PSNR \(lowest.oneDecimal) dB, largest difference "
      + "\(image.components.map { $0.largestError }.max() ?? 0)"
    guard needless.isEmpty, Self.isSame(a.frame.transformed(by: transform), b.frame) else {
      ledger.find(
        "quality-lost",
        "\(name) was re-encoded \(needless.isEmpty ? "with another sampling" : "although a lossless transform is possible") "
          + "(\(figures))",
        original: start.old,
        result: start.new
      )
      return
    }
    let isCoarser = zip(a.tables, b.tables).contains { old, new in
      let transformed = transform.transposes ? Zigzag.transposed.map { old[$0] } : old
      return zip(transformed, new).contains { $1 > $0 }
    }
    guard isRedraw(a, b) || lowest == .infinity || !isCoarser && lowest >= lowestPSNR else {
      ledger.find(
        "quality-lost",
        "\(name) was re-encoded"
          + (isCoarser
            ? " with coarser quantization than the original's"
            : " and differs too much from the original")
          + " (\(figures))",
        original: start.old,
        result: start.new
      )
      return
    }
    image.relation = .reencoded
    let kept = image.components.filter { $0.isLossless }.count
    ledger.note(
      "re-encoded",
      "\(name) was re-encoded where no lossless transform is possible: \(kept) of \(image.components.count) "
        + "components are lossless (\(figures))",
      original: start.old,
      result: start.new
    )
  }

  /// Returns whether the image has the coefficients of Upright's re-encoding of the original.
  ///
  /// With very coarse quantization tables, such an image can have a low PSNR.
  private func isRedraw(_ a: SampleComparison.Source, _ b: SampleComparison.Source) -> Bool {
    let image = SparseImage(a.image)
    return Redraw.Quality.allCases.contains { quality in
      let tables = Redraw.tables(
        for: image,
        a.frame,
        a.tables,
        transform: transform,
        color: a.color,
        quality
      )
      guard tables == b.tables else { return false }
      let expected = CoefficientImage(redraw(a, tables, quality).redraw(image).image)
      return expected.coefficients == b.image.coefficients
    }
  }

  /// Returns Upright's re-encoding of an image with these quantization tables.
  private func redraw(
    _ source: SampleComparison.Source,
    _ tables: [[UInt16]],
    _ quality: Redraw.Quality
  ) -> Redraw {
    Redraw(
      frame: source.frame,
      tables: source.tables,
      transform: transform,
      resultTables: tables,
      rounding: quality.rounding
    )
  }

  /// Returns whether the image matches the expected transform although another transform matches too.
  ///
  /// An image of one color is equal to its transforms.
  private func looksTransformed(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source,
    _ lossless: [Bool],
    _ mayBeLossless: [Bool]
  ) -> Bool {
    guard Self.isSame(a.frame.transformed(by: transform), b.frame) else { return false }
    let samples = SampleComparison(old: a, new: b, transform: transform)
    return isRedraw(a, b)
      || lossless.indices.allSatisfy {
        lossless[$0] || !mayBeLossless[$0] && samples.compare($0).largest == 0
      }
  }

  /// Returns another transform that is lossless for the result, or nil.
  private func otherTransform(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source
  ) -> OrientationTransform? {
    OrientationTransform.allCases.first { other in
      guard other != transform, Self.isSame(a.frame.transformed(by: other), b.frame) else {
        return false
      }
      let comparison = CoefficientComparison(a.image, b.image, transform: other)
      return a.frame.components.indices.allSatisfy { comparison.isLossless($0, within: a.frame) }
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

  /// Returns whether the quantization table of each component is the original's, transposed if the transform transposes.
  private func compareTables(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source
  ) -> [Bool] {
    zip(a.tables, b.tables).map { old, new in
      (0..<64).allSatisfy { place in
        let (row, column) = (place / 8, place % 8)
        let source = transform.transposes ? column * 8 + row : place
        return new[Zigzag.position[place]] == old[Zigzag.position[source]]
      }
    }
  }

  private func report(_ tables: [Bool], _ identifier: String, _ ledger: inout Ledger) {
    for (component, isSame) in tables.enumerated() where !isSame {
      ledger.find(
        identifier,
        "\(name) has a different quantization table for component \(component)",
        original: start.old,
        result: start.new
      )
    }
  }

  /// Compares the coding process, the scans and the restart intervals.
  private func compareCoding(_ ledger: inout Ledger) {
    if old.frame.process != new.frame.process {
      ledger.note(
        "coding-process",
        "the coding of \(name) changed from \(old.frame.process) to \(new.frame.process)",
        original: start.old,
        result: start.new
      )
    }
    let scans = (old.container.scans.count, new.container.scans.count)
    if scans.0 != scans.1 {
      ledger.note(
        "scan-count",
        "the number of scans of \(name) changed from \(scans.0) to \(scans.1)",
        original: start.old,
        result: start.new
      )
    }
    let intervals = (
      Self.restartIntervals(old, ledger.original), Self.restartIntervals(new, ledger.result)
    )
    if intervals.0 != intervals.1 {
      ledger.note(
        "restart-interval",
        "the restart interval of \(name) changed",
        original: start.old,
        result: start.new
      )
    }
  }

  private static func restartIntervals(_ header: Header, _ bytes: [UInt8]) -> [[UInt8]] {
    header.container.segments.filter { $0.marker == .defineRestartInterval }
      .map { Array(bytes[$0.payload]) }
  }
}

extension Double {
  /// The number with one decimal.
  var oneDecimal: String {
    guard isFinite else { return "∞" }
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(abs(tenths) % 10)"
  }
}
