internal import ImageOrientation
internal import JPEGCore

/// Compares one picture of the original with the same picture of the result.
struct PictureComparison {
  let old: Header
  let new: Header
  let role: EmbeddedPicture.Role?
  /// The turn that the picture ought to have had.
  let turn: Turn
  let limits: DecodingLimits

  /// What a comparison takes for granted of the pixels a redraw may change, in decibels.
  ///
  /// Redraws of photographs measure 34 dB and more; those that may not grow 26.
  private var lowestPSNR: Double { role == nil ? 30 : 20 }

  /// Levels by which a picture may differ that has no content to be in the wrong place.
  private static let flatness = 4

  private var name: String { role.map { "the \($0.rawValue)" } ?? "the picture" }
  private var start: (old: Int, new: Int) {
    (
      old.container.segments[0].range.lowerBound, new.container.segments[0].range.lowerBound
    )
  }

  /// Compares coefficients, tables and frames.
  ///
  /// - Throws: ``Verifier/Unreadable`` when one of the two cannot be decoded.
  func compare(_ ledger: inout Ledger) throws(Verifier.Unreadable) -> Verdict.Picture {
    let sources = (
      try source(old, ledger.original, .original), try source(new, ledger.result, .result)
    )
    var picture = Verdict.Picture(
      role: role,
      original: start.old..<old.container.end,
      result: start.new..<new.container.end,
      turn: turn,
      relation: .different,
      components: [],
      coefficients: sources.0.image.coefficients.count
    )
    guard old.frame.components.count == new.frame.components.count else {
      ledger.find(
        "component-count",
        "\(name) has \(new.frame.components.count) components instead of \(old.frame.components.count)",
        original: start.old,
        result: start.new
      )
      return picture
    }
    relate(sources.0, sources.1, &picture, &ledger)
    compareCoding(&ledger)
    return picture
  }

  /// Whether the picture, kept as it was, is right all the same: whether it looks the same turned.
  func looksSameTurned(_ ledger: Ledger) -> Bool {
    var scratch = Ledger(original: ledger.original, result: ledger.result)
    return (try? compare(&scratch)) != nil && scratch.findings.isEmpty
  }

  /// Whether the original's picture can be decoded.
  func isDecodable(_ ledger: Ledger) -> Bool {
    (try? source(old, ledger.original, .original)) != nil
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
          "the decoder does not read pictures of this kind"
        )
      )
    }
    if let reason = limits.refusal(frame, scans: header.container.scans.count, isRedrawn: true) {
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

  /// Finds out how the result's picture follows from the original's.
  private func relate(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source,
    _ picture: inout Verdict.Picture,
    _ ledger: inout Ledger
  ) {
    let comparison = CoefficientComparison(a.image, b.image, turn: turn)
    let components = a.frame.components.indices
    let expected = a.frame.turned(by: turn)
    let trimmed = a.frame.trimmed(for: turn)
    let hasFrame = Self.isSame(expected, b.frame)
    let exact = components.map { hasFrame && comparison.isExact($0, within: a.frame) }
    let mayBeExact = components.map { Self.isBlockAligned(a.frame, $0, turn) }
    let tables = compareTables(a, b)

    if hasFrame, exact.allSatisfy({ $0 }), mayBeExact.allSatisfy({ $0 }) {
      picture.relation = tables.allSatisfy { $0 } ? .exact : .different
      picture.components = exact.map { _ in
        Verdict.Component(isExact: true, psnr: .infinity, largestError: 0)
      }
      report(tables, "quantization-table", &ledger)
      return
    }
    let isCut = trimmed != a.frame && trimmed.width > 0 && trimmed.height > 0
    if isCut, Self.isSame(trimmed.turned(by: turn), b.frame),
      components.allSatisfy({ comparison.isExact($0, within: trimmed) })
    {
      picture.relation = .trimmed
      ledger.note(
        "trimmed",
        "\(name) lost \(Planner.loss(columns: a.frame.width - trimmed.width, rows: a.frame.height - trimmed.height))",
        original: start.old,
        result: start.new
      )
      report(tables, "quantization-table", &ledger)
      return
    }
    if let other = otherTurn(a, b), !looksTurned(a, b, exact, mayBeExact) {
      picture.turn = other
      let isKept = other == .none
      ledger.find(
        isKept ? "not-turned" : "wrong-turn",
        isKept
          ? "\(name) is stored as it was, and what is asked for is: \(turn)"
          : "\(name) was turned by: \(other). What is asked for is: \(turn)",
        original: start.old,
        result: start.new
      )
      return
    }
    guard expected.size == b.frame.size else {
      ledger.find(
        "dimensions",
        "\(name) is \(b.frame.width)×\(b.frame.height), and should be \(expected.width)×\(expected.height)",
        original: start.old,
        result: start.new
      )
      return
    }
    let samples = SampleComparison(old: a, new: b, turn: turn)
    picture.components = components.map { component in
      if exact[component], mayBeExact[component], tables[component] {
        return Verdict.Component(isExact: true, psnr: .infinity, largestError: 0)
      }
      let (psnr, largest) = samples.compare(component)
      return Verdict.Component(isExact: false, psnr: psnr, largestError: largest)
    }
    // Of a flat picture the blocks are all the same, wherever they come to lie.
    let isFarOff = picture.components.contains { $0.largestError > Self.flatness }
    if isFarOff, isCut, hasFrame, components.allSatisfy({ comparison.isExact($0, within: trimmed) })
    {
      ledger.find(
        "edge-strip",
        "a strip at the edge of \(name) is in the wrong place: "
          + Planner.loss(
            columns: a.frame.width - trimmed.width,
            rows: a.frame.height - trimmed.height
          ),
        original: start.old,
        result: start.new
      )
      return
    }
    judgeRedraw(a, b, mayBeExact, &picture, &ledger)
  }

  /// Whether a picture that is not exact is a redraw of what a turn cannot keep, and no more than that.
  private func judgeRedraw(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source,
    _ mayBeExact: [Bool],
    _ picture: inout Verdict.Picture,
    _ ledger: inout Ledger
  ) {
    let needless = picture.components.indices.filter {
      mayBeExact[$0] && !picture.components[$0].isExact
    }
    let lowest = picture.components.map { $0.psnr }.min() ?? .infinity
    let figures =
      "\(lowest.oneDecimal) dB, samples differ by up to "
      + "\(picture.components.map { $0.largestError }.max() ?? 0)"
    guard needless.isEmpty, Self.isSame(a.frame.turned(by: turn), b.frame) else {
      ledger.find(
        "re-encoded",
        "\(name) was decoded and encoded again, though \(needless.isEmpty ? "in another sampling" : "the turn is exact") "
          + "(\(figures))",
        original: start.old,
        result: start.new
      )
      return
    }
    let isCoarser = zip(a.tables, b.tables).contains { old, new in
      let turned = turn.transposes ? Zigzag.transposed.map { old[$0] } : old
      return zip(turned, new).contains { $1 > $0 }
    }
    guard isRedraw(a, b) || lowest == .infinity || !isCoarser && lowest >= lowestPSNR else {
      ledger.find(
        "re-encoded",
        "\(name) was redrawn"
          + (isCoarser ? " with coarser quantization than the original's" : " too far from it")
          + " (\(figures))",
        original: start.old,
        result: start.new
      )
      return
    }
    picture.relation = .redrawn
    let kept = picture.components.filter { $0.isExact }.count
    ledger.note(
      "redrawn",
      "\(name) was redrawn where a turn cannot keep it: \(kept) of \(picture.components.count) "
        + "components are exact, the others \(figures)",
      original: start.old,
      result: start.new
    )
  }

  /// Whether a picture is, coefficient by coefficient, what a redraw of the original gives.
  ///
  /// That is as close as its tables allow, which of very coarse ones is not close.
  private func isRedraw(_ a: SampleComparison.Source, _ b: SampleComparison.Source) -> Bool {
    let image = SparseImage(a.image)
    return Redraw.Quality.allCases.contains { quality in
      let tables = Redraw.tables(
        for: image,
        a.frame,
        a.tables,
        turn: turn,
        color: a.color,
        quality
      )
      guard tables == b.tables else { return false }
      let redraw = Redraw(
        frame: a.frame,
        tables: a.tables,
        turn: turn,
        resultTables: tables,
        rounding: quality.rounding
      )
      let expected = CoefficientImage(redraw.redraw(image).image)
      return expected.coefficients == b.image.coefficients
    }
  }

  /// Whether a picture that is stored as another turn leaves it is turned all the same.
  ///
  /// A picture of one colour looks the same however it is turned, and a redraw may leave it as it is.
  private func looksTurned(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source,
    _ exact: [Bool],
    _ mayBeExact: [Bool]
  ) -> Bool {
    guard Self.isSame(a.frame.turned(by: turn), b.frame) else { return false }
    let samples = SampleComparison(old: a, new: b, turn: turn)
    return isRedraw(a, b)
      || exact.indices.allSatisfy {
        exact[$0] || !mayBeExact[$0] && samples.compare($0).largest == 0
      }
  }

  /// Another turn than the one asked for that explains the result exactly.
  private func otherTurn(_ a: SampleComparison.Source, _ b: SampleComparison.Source) -> Turn? {
    Turn.allCases.first { other in
      guard other != turn, Self.isSame(a.frame.turned(by: other), b.frame) else { return false }
      let comparison = CoefficientComparison(a.image, b.image, turn: other)
      return a.frame.components.indices.allSatisfy { comparison.isExact($0, within: a.frame) }
    }
  }

  /// Size and sampling, slots and coding left aside; a single component has no sampling.
  private static func isSame(_ a: Frame, _ b: Frame) -> Bool {
    a.size == b.size
      && (a.components.count == 1
        || zip(a.components, b.components).allSatisfy {
          ($0.horizontal, $0.vertical) == ($1.horizontal, $1.vertical)
        })
  }

  /// Whether the blocks of a component come to lie on those of the turned picture: whether the edges that
  /// the turn moves are whole blocks of the component and whole samples.
  private static func isBlockAligned(_ frame: Frame, _ component: Int, _ turn: Turn) -> Bool {
    let part = frame.components[component]
    let columns = frame.width * part.horizontal % (8 * frame.maxHorizontal) == 0
    let rows = frame.height * part.vertical % (8 * frame.maxVertical) == 0
    return (columns || !turn.movesRightEdge) && (rows || !turn.movesBottomEdge)
  }

  /// Whether the table of each component is the original's, transposed where the turn transposes.
  private func compareTables(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source
  ) -> [Bool] {
    zip(a.tables, b.tables).map { old, new in
      (0..<64).allSatisfy { place in
        let (row, column) = (place / 8, place % 8)
        let source = turn.transposes ? column * 8 + row : place
        return new[Zigzag.position[place]] == old[Zigzag.position[source]]
      }
    }
  }

  private func report(_ tables: [Bool], _ identifier: String, _ ledger: inout Ledger) {
    for (component, isSame) in tables.enumerated() where !isSame {
      ledger.find(
        identifier,
        "\(name) has another quantization table for component \(component)",
        original: start.old,
        result: start.new
      )
    }
  }

  /// The frame's coding, scans and restart intervals.
  private func compareCoding(_ ledger: inout Ledger) {
    if old.frame.process != new.frame.process {
      ledger.note(
        "coding-process",
        "\(name) was \(old.frame.process), and is \(new.frame.process)",
        original: start.old,
        result: start.new
      )
    }
    let scans = (old.container.scans.count, new.container.scans.count)
    if scans.0 != scans.1 {
      ledger.note(
        "scan-count",
        "\(name) had \(scans.0) scans, and has \(scans.1)",
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
        "the restart markers of \(name) are not kept",
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
  /// The number with one digit behind the point.
  var oneDecimal: String {
    guard isFinite else { return "∞" }
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(abs(tenths) % 10)"
  }
}
