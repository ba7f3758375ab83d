public import ImageOrientation
internal import JPEGCore

/// Makes JPEG files upright, and transforms them from there: from bytes to bytes, without a file system.
///
/// The raster is transformed in the DCT domain and every segment of the original is kept in its place, byte for
/// byte but for Orientation and the dimensions; what follows the image is copied.
///
/// ```swift
/// let normalizer = Normalizer()
/// if case .rewritten(let result) = try normalizer.normalize(photo) {
///   store(result.bytes)
/// }
/// let flip = Normalizer(then: .flipHorizontal)
/// ```
public struct Normalizer: Sendable {
  /// What is done where there is a choice.
  public var options: Options
  /// What part of the image is kept, in a ``Cropper``'s name.
  var crop: CropRequest?
  /// What is done, on top of making upright, to what a viewer sees; both are one transform of the raster.
  ///
  /// A file without Orientation counts as upright. No sign of a stale tag keeps a file from it, for whoever
  /// asks for a transform has seen the image. Unlike making upright, doing it twice does it twice.
  public var then: OrientationTransform
  /// Runs independent parts of the work on one file, so that it uses several cores; nil where the calling thread
  /// does all of it.
  ///
  /// It calls its second argument for each number from 0 to below its first, and returns after the last call, as
  /// `{ DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }` does. Only components that are re-encoded
  /// are such parts; who works on many files at once gains nothing.
  ///
  /// Default: nil.
  public var concurrentPerform: (@Sendable (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void)?

  /// Makes a normalizer.
  ///
  /// - Parameters:
  ///   - options: What is done where there is a choice.
  ///   - transform: What is done, on top of making upright, to what a viewer sees.
  public init(options: Options = Options(), then transform: OrientationTransform = .none) {
    self.options = options
    then = transform
  }

  /// Plans for a file.
  ///
  /// It takes what ``normalize(_:)`` takes, reads the header alone, and decides the same. What only the rest of the
  /// file shows, such as damage, is found when the plan is carried out.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try options.checkSize(file.count)
    return try planner(file.count).plan(try Header(leading: file), file.span)
  }

  /// Plans from the beginning of a file.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil when the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard let header = try Header.beginning(beginning) else { return nil }
    return try planner().plan(header, beginning.span)
  }

  /// Plans from a file's header, reading no more of it than that takes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size; nil where it is not known.
  ///   - read: Gives the bytes of the file from an offset on, at most as many as asked for, and fewer only at the
  ///     end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  package func plan(
    size: Int?,
    reading read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Plan {
    let (header, beginning) = try Header.reading(read)
    return try planner(size).plan(header, beginning.span)
  }

  /// Makes a file upright, and transforms it further if ``then`` says so.
  ///
  /// The work goes on in the calling thread. It ends early where the task that it belongs to is cancelled, or
  /// the options' time limit is over.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or why there is none.
  /// - Throws: ``UprightError``; the file is damaged, or no JPEG file, or a limit is reached.
  public func normalize(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    return try options.limited(on: concurrentPerform) { () throws(UprightError) in
      try makeOutcome(file)
    }
  }

  private func makeOutcome(_ file: [UInt8]) throws(UprightError) -> Outcome {
    var header = try Header(whole: file)
    let planner = planner(file.count)
    var plan = try planner.plan(header, file.span)
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
    try header.requireEnd()
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
      } else {
        let tag = MetadataRewriter.tagEdits(header, file.span)
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

  /// Whether a part of the image is cut away.
  package var isCropping: Bool { crop != nil }

  /// The planner for a file of so many bytes, where that is known.
  func planner(_ size: Int? = nil) -> Planner {
    Planner(options: options, then: then, crop: crop, size: size)
  }

  /// Decodes an image that is already upright.
  ///
  /// - Returns: Why it was not decoded; nil when it was, and is whole.
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

  /// Whether a new file asks for nothing more.
  private func isUpright(_ file: [UInt8]) -> Bool {
    guard let header = try? Header.beginning(file),
      case .unchanged? = try? Planner(options: options).plan(header, file.span).action
    else { return false }
    return true
  }
}
