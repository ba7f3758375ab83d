public import ImageOrientation
internal import JPEGCore

/// Normalizes the orientation of JPEG files, and optionally transforms them further.
///
/// It takes and returns bytes. The image is transformed in the DCT domain. Every segment of the original stays in its place; only Orientation and
/// the fields that describe the stored image change. The data after the image is copied.
///
/// ```swift
/// let normalizer = Normalizer()
/// if case .rewritten(let result) = try normalizer.normalize(photo) {
///   store(result.bytes)
/// }
/// let flip = Normalizer(then: .flipHorizontal)
/// ```
public struct Normalizer: Sendable {
  /// The policies and limits.
  public var options: Options
  /// The part of the image that a ``Cropper`` keeps, or nil for all of it.
  var crop: CropRequest?
  /// The transform of the displayed image that is applied in addition to the normalization, in the same step.
  ///
  /// A file without Orientation counts as upright. With a transform other than `.none`, a file with a suspected stale
  /// tag is not skipped, because the caller has seen the image. Applying the transform twice transforms twice.
  public var then: OrientationTransform
  /// Runs parts of the work on one file on several cores, or nil if the calling thread does all of it.
  ///
  /// It calls its second argument for each number from 0 to below its first, and returns after the last call, as
  /// `{ DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }` does. It is used only for components that are
  /// re-encoded, and does not help when many files are processed concurrently.
  ///
  /// Default: nil.
  public var concurrentPerform: (@Sendable (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void)?

  /// Creates a normalizer.
  ///
  /// - Parameters:
  ///   - options: The policies and limits.
  ///   - transform: A transform of the displayed image, applied in addition to the normalization.
  public init(options: Options = Options(), then transform: OrientationTransform = .none) {
    self.options = options
    then = transform
  }

  /// Returns the plan for a file, without decoding it.
  ///
  /// The plan is what ``normalize(_:)`` would do, decided from the header. Damage in the rest of the file is found only
  /// when the plan is executed.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try options.checkSize(file.count)
    return try planner(file.count).plan(
      try Header(leading: file),
      file.span,
      reading: Self.reading(file)
    )
  }

  /// Returns the plan for a file, from its beginning.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil if the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard let header = try Header.beginning(beginning) else { return nil }
    return try planner().plan(header, beginning.span, reading: Self.reading(beginning))
  }

  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  package func plan(
    size: Int?,
    reading read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Plan {
    let (header, beginning) = try Header.reading(read)
    return try planner(size).plan(header, beginning.span, reading: read)
  }

  /// Normalizes the orientation of a file, and applies the transform ``then``.
  ///
  /// It works in the calling thread, and ends early if the task is cancelled or the time limit is exceeded.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or not a JPEG file, or exceeds a limit.
  public func normalize(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    return try options.limited(on: concurrentPerform) { () throws(UprightError) in
      try makeOutcome(file)
    }
  }

  private func makeOutcome(_ file: [UInt8]) throws(UprightError) -> Outcome {
    var header = try Header(whole: file)
    let planner = planner(file.count)
    var plan = try planner.plan(header, file.span, reading: Self.reading(file))
    header = header.withAllXMP(file.span)
    if case .unchanged = plan.action, !header.container.isComplete {
      plan.action = .skip(.noEndOfImage)
    }
    if case .transform = plan.action {
    } else {
      plan.embeddedImages = Inventory.images(header, file.span)
    }
    if case .unchanged = plan.action, options.checksUnchanged {
      if let reason = try reasonNotDecoded(header, file) {
        plan.notes.append("the image was not checked: \(reason.explanation)")
      }
    }
    guard plan.action.rewrites else { return .unchanged(plan) }
    // The decoder shows whether only EOI is missing.
    if case .transform = plan.action {} else { try header.requireEnd() }
    let completion = Completion(header: header, options: options)
    var rewrite = FileRewriter.Result()
    var raster = RasterTransform(header, .none, partialMCUs: .lossless)
    if case .transform(let transform, _) = plan.action {
      raster = try planner.raster(header, transform)
    }
    do throws(ImageRewriter.Failure) {
      if case .transform = plan.action {
        rewrite = try FileRewriter(header: header, raster: raster, options: options).rewrite(file)
        plan.embeddedImages = rewrite.images
        plan.notes = plan.notes.filter { !rewrite.notes.contains($0) } + rewrite.notes
        if let evidence = rewrite.evidence, then == .none, !raster.isCropped {
          plan.weigh(evidence, options.onConflict)
        }
      }
      switch plan.action {
      case .transform: break
      case .skip(let reason): return completion.unchanged(plan, reason, file)
      default:
        rewrite = FileRewriter.Result()
        let tag = MetadataRewriter.tagEdits(header, file.span)
        plan.changes = tag.map(Change.init)
        rewrite.edits = FileRewriter.changingTag(tag, header, options, file)
      }
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason): return completion.unchanged(plan, reason, file)
      }
    }
    return try completion.outcome(plan, file, &rewrite, isAsPlanned: isUpright)
  }

  /// Returns the transform after which the thumbnail of an upright image would show it upright, too.
  ///
  /// - Parameter file: The whole file; its image is decoded.
  /// - Returns: The transform, or nil if the thumbnail is upright, or that is unknown.
  package func thumbnailTransform(_ file: [UInt8]) -> OrientationTransform? {
    guard let header = try? Header(whole: file) else { return nil }
    return try? options.limited(on: concurrentPerform) { () throws(UprightError) in
      ThumbnailContent.misfit(header, file, options)
    }
  }

  /// Whether the image is cropped.
  package var isCropping: Bool { crop != nil }

  /// Returns a function that reads from a file in memory.
  static func reading(
    _ file: [UInt8]
  ) -> (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8] {
    { (offset, count) throws(UprightError) in Array(file.dropFirst(offset).prefix(count)) }
  }

  /// Returns the planner for a file of `size` bytes; nil if that is unknown.
  func planner(_ size: Int? = nil) -> Planner {
    Planner(options: options, then: then, crop: crop, size: size)
  }

  /// Decodes an image that is already upright, to find damage.
  ///
  /// - Returns: The reason why it cannot be decoded, or nil if it was decoded without error.
  /// - Throws: ``UprightError`` of code `damagedScan`.
  private func reasonNotDecoded(_ header: Header, _ file: [UInt8]) throws(UprightError) -> Reason? {
    let (frame, container) = (header.frame, header.container)
    guard !header.frame.process.isArithmetic else { return .arithmeticCoding }
    guard header.isDecodable else { return .sampling(frame.factors) }
    let scans = container.scans.count
    let limits = DecodingLimits(options, size: file.count)
    if let reason = limits.refusal(frame, scans: scans, isReencoded: false) {
      return reason
    }
    _ = try ImageDecoding(container, frame, file).coefficients(file, transform: .none)
    return nil
  }

  /// Returns whether a new file needs no further normalization.
  private func isUpright(_ file: [UInt8]) -> Bool {
    guard let header = try? Header.beginning(file),
      case .unchanged? = try? Planner(options: options)
        .plan(header, file.span, reading: Self.reading(file)).action
    else { return false }
    return true
  }
}
