internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform
internal import Upright

/// Compares an image of the original with the same image of the result.
struct ImageComparison {
  let files: ComparedFiles
  let old: Header
  let new: Header
  let role: EmbeddedImage.Role?
  var transform: OrientationTransform
  let limits: DecodingLimits
  var thumbnails: [ThumbnailPair] = []
  /// What was kept and no longer fits the image, besides registered data of other kinds.
  var leftovers: [RegisteredData] = []
  /// Whether each packet of extended XMP can be compared as XMP.
  var readsExtended = false

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
  func compare() throws(UprightError) -> (image: Verdict.Image, [Observation]) {
    let sources: (SampleComparison.Source, SampleComparison.Source)
    do throws(UprightError) {
      sources = (try source(.original), try source(.result))
    } catch {
      // The same coding has the same coefficients, even if it cannot be decoded.
      guard transform == .none, hasSameCoding else { throw error }
      return (image(.lossless, old.frame.components.map { _ in .lossless }), [])
    }
    var (image, observations) = compare(sources.0, sources.1)
    image.coefficients = sources.0.image.coefficientCount
    return (image, observations)
  }

  func compareWithSegments() throws(UprightError) -> (image: Verdict.Image, [Observation]) {
    let (image, observations) = try compare()
    let all = observations + compareSegments()
    return (image, role.map { all.prefixed($0) } ?? all)
  }

  func embedded(
    _ role: EmbeddedImage.Role,
    _ old: Header,
    _ new: Header,
    _ transform: OrientationTransform,
    in files: ComparedFiles? = nil
  ) -> ImageComparison {
    ImageComparison(
      files: files ?? self.files,
      old: old,
      new: new,
      role: role,
      transform: transform,
      limits: limits
    )
  }

  var identical: Verdict.Image {
    var image = image(.identical)
    image.transform = .none
    return image
  }

  private func image(
    _ relation: Verdict.Relation,
    _ components: [Verdict.Component] = []
  ) -> Verdict.Image {
    Verdict.Image(
      role: role,
      original: start.old..<old.container.end,
      result: start.new..<new.container.end,
      transform: transform,
      relation: relation,
      components: components
    )
  }

  private func finding(_ code: Verdict.Finding.Code.Known, _ text: String) -> Observation {
    .finding(code, text, original: start.old, result: start.new)
  }

  private func note(_ code: Verdict.Finding.Code.KnownNote, _ text: String) -> Observation {
    .note(code, text, original: start.old, result: start.new)
  }

  /// Whether all segments without metadata and all scans have the same bytes.
  private var hasSameCoding: Bool {
    func ranges(_ container: Container) -> [Range<Int>] {
      container.segments.filter { !$0.marker.carriesMetadata }.map { $0.range }
        + container.scans.map { $0.data }
    }
    let (a, b) = (ranges(old.container), ranges(new.container))
    return a.count == b.count && zip(a, b).allSatisfy { files.isEqual($0, $1) }
  }

  /// Whether an unchanged image is equal to its transform.
  var looksSameTransformed: Bool {
    guard let (_, observations) = try? compare() else { return false }
    return !observations.hasFinding
  }

  var isDecodable: Bool { (try? source(.original)) != nil }

  /// Whether the transform requires the image to be re-encoded, and its coefficients or quantization steps give no
  /// samples.
  var cannotBeReencoded: Bool {
    guard !old.frame.isLossless(under: transform),
      let source = try? source(.original)
    else { return false }
    guard source.tables.allSatisfy({ !$0.contains(0) }) else { return true }
    return source.redraw(transform, .own).redraw(source.image).isOutOfRange
  }

  private func source(
    _ file: UprightError.File
  ) throws(UprightError) -> SampleComparison.Source {
    let (header, bytes) = file == .original ? (old, files.original) : (new, files.result)
    let frame = header.frame
    let offset = header.container.segments[0].range.lowerBound
    guard frame.precision == 8, frame.height > 0, !frame.process.isLossless,
      !frame.process.isHierarchical
    else {
      let text = "the coding process or sample precision is not supported"
      throw UprightError(.malformed, at: offset, text).of(file)
    }
    if let reason = limits.refusal(header, isReencoded: true) {
      throw UprightError(.limit, at: offset, reason.explanation).of(file)
    }
    let (parameters, image): (CodingParameters, SparseImage)
    do throws(UprightError) {
      let decoding = try ImageDecoding(header.container, frame, bytes)
      parameters = decoding.parameters
      if let reference = Self.reference(header, bytes) {
        image = reference
      } else {
        image = try decoding.coefficients(transform: .none).0
      }
    } catch { throw error.of(file) }
    do throws(ContainerError) {
      return SampleComparison.Source(
        frame: frame,
        image: image,
        tables: try parameters.quantizationTables(bytes.span, zerosAllowed: true),
        color: header.container.color(frame, bytes.span)
      )
    } catch { throw UprightError(error).of(file) }
  }

  /// Returns the coefficients that TurboJPEG decodes; nil if it cannot.
  private static func reference(_ header: Header, _ bytes: [UInt8]) -> SparseImage? {
    guard
      let stream = try? LosslessTransform.stream(
        header.container.decodableStream(bytes),
        transformedBy: .none
      ), let container = try? Container(stream.span), let own = try? Header(container, stream.span),
      let parameters = try? CodingParameters(container, own.frame, stream.span)
    else { return nil }
    let place = BlockPlacement(own.frame, in: own.frame.bounds, transform: .none)
    return try? parameters.decode(stream.span, place).0
  }

  private func compare(
    _ a: SampleComparison.Source,
    _ b: SampleComparison.Source
  ) -> (image: Verdict.Image, [Observation]) {
    guard old.frame.components.count == new.frame.components.count else {
      let text =
        "\(name) has \(new.frame.components.count) components instead of \(old.frame.components.count)"
      return (image(.different), [finding(.componentCount, text)])
    }
    let (image, observations) = relation(ImagePair(a, b, transform))
    return (image, observations + compareCoding())
  }

  /// Returns the relation of two images with the same number of components, and what shows it.
  private func relation(_ pair: ImagePair) -> (image: Verdict.Image, [Observation]) {
    if pair.isLossless {
      let relation = pair.keepsTable.allSatisfy { $0 } ? Verdict.Relation.lossless : .different
      return (image(relation, pair.mayBeLossless.map { _ in .lossless }), otherTables(pair))
    }
    if pair.isTrimmed {
      let trimmed = note(.trimmed, "\(name) lost \(pair.trimmedEdges.text)")
      return (image(.trimmed), [trimmed] + otherTables(pair))
    }
    if let other = pair.otherTransform { return transformed(by: other) }
    let (expected, found) = (pair.expected.size, pair.new.frame.size)
    guard expected == found else {
      let text =
        "\(name) is \(found.width)×\(found.height) instead of \(expected.width)×\(expected.height)"
      return (image(.different), [finding(.dimensions, text)])
    }
    let components = pair.components()
    // In a flat image all blocks are the same, so misplaced ones do not matter.
    let isFarOff = components.contains { $0.largestError > Self.flatness }
    if isFarOff, pair.hasPartialMCUs, pair.hasFrame, pair.keepsWholeMCUs {
      let text =
        "a strip at the edge of \(name) is in the wrong place: \(pair.trimmedEdges.text)"
      return (image(.different, components), [finding(.edgeStrip, text)])
    }
    return reencoded(pair, components)
  }

  private func otherTables(_ pair: ImagePair) -> [Observation] {
    pair.keepsTable.indices.filter { !pair.keepsTable[$0] }.map {
      finding(
        .quantizationTable,
        "\(name) has a different quantization table for component \($0)"
      )
    }
  }

  /// Returns the relation of an image with another transform than the expected one.
  private func transformed(
    by other: OrientationTransform
  ) -> (image: Verdict.Image, [Observation]) {
    var image = image(.different)
    image.transform = other
    let text = other == .none ? "was not transformed" : "was transformed by: \(other)"
    return (
      image,
      [
        finding(
          other == .none ? .notTransformed : .wrongTransform,
          "\(name) \(text); expected: \(transform)"
        )
      ]
    )
  }

  /// Checks that an image was re-encoded only where a lossless transform is impossible, and without visible loss.
  private func reencoded(
    _ pair: ImagePair,
    _ components: [Verdict.Component]
  ) -> (image: Verdict.Image, [Observation]) {
    let lowest = components.map { $0.psnr }.min() ?? .infinity
    let largest = components.map { $0.largestError }.max() ?? 0
    let figures = "lowest PSNR \(lowest.oneDecimal) dB, largest difference \(largest)"
    func lost(_ what: String) -> (image: Verdict.Image, [Observation]) {
      let text = "\(name) was re-encoded\(what) (\(figures))"
      return (image(.different, components), [finding(.qualityLost, text)])
    }
    let isNeedless = zip(pair.mayBeLossless, components).contains { $0 && !$1.isLossless }
    if isNeedless { return lost(" although a lossless transform is possible") }
    guard pair.hasFrame else { return lost(" with another sampling") }
    let isCoarser = pair.isCoarser
    guard pair.isRedraw || lowest == .infinity || !isCoarser && lowest >= lowestPSNR else {
      return lost(
        isCoarser
          ? " with coarser quantization than the original's"
          : " and differs too much from the original"
      )
    }
    let kept = components.filter { $0.isLossless }.count
    let text =
      "\(name) was re-encoded where no lossless transform is possible: \(kept) of \(components.count) "
      + "components are lossless (\(figures))"
    return (image(.reencoded, components), [note(.reencoded, text)])
  }

  @ListBuilder<Observation> private func compareCoding() -> [Observation] {
    if old.frame.process != new.frame.process {
      let text = "the coding of \(name) changed from \(old.frame.process) to \(new.frame.process)"
      note(.codingProcess, text)
    }
    let scans = (old.container.scans.count, new.container.scans.count)
    if scans.0 != scans.1 {
      note(.scanCount, "the number of scans of \(name) changed from \(scans.0) to \(scans.1)")
    }
    if Self.restartIntervals(old, files.original) != Self.restartIntervals(new, files.result) {
      note(.restartInterval, "the restart interval of \(name) changed")
    }
  }

  private static func restartIntervals(_ header: Header, _ bytes: [UInt8]) -> [[UInt8]] {
    header.container.segments.filter { $0.marker == .defineRestartInterval }
      .map { Array(bytes[$0.payload]) }
  }
}

extension Double {
  var oneDecimal: String {
    guard isFinite else { return "∞" }
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(abs(tenths) % 10)"
  }
}
