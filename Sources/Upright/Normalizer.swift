public import ImageOrientation
internal import JPEGCore

/// Makes JPEG files upright, and turns them from there: from bytes to bytes, without a file system.
///
/// The raster is turned in the DCT domain and every segment of the original is kept in its place, byte for
/// byte but for Orientation and the dimensions; what follows the picture is copied.
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
  /// What part of the picture is kept, in a ``Cropper``'s name.
  var crop: CropRequest?
  /// What is done, on top of making upright, to what a viewer sees; both are one turn of the raster.
  ///
  /// A file without Orientation counts as upright. No sign of a stale tag keeps a file from it, for whoever
  /// asks for a turn has seen the picture. Unlike making upright, doing it twice does it twice.
  public var then: Turn

  /// Makes a normalizer.
  ///
  /// - Parameters:
  ///   - options: What is done where there is a choice.
  ///   - turn: What is done, on top of making upright, to what a viewer sees.
  public init(options: Options = Options(), then turn: Turn = .none) {
    self.options = options
    then = turn
  }

  /// Plans from the beginning of a file.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil when the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard let header = try Header.beginning(beginning) else { return nil }
    return try planner.plan(header, beginning.span)
  }

  /// Makes a file upright, and turns it further if ``then`` says so.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or why there is none.
  /// - Throws: ``UprightError``; the file is damaged, or no JPEG file.
  public func normalize(_ file: [UInt8]) throws(UprightError) -> Outcome {
    let header = try Header(whole: file)
    let planner = planner
    var plan = try planner.plan(header, file.span)
    if case .nothing = plan.action, !header.container.isComplete {
      plan.action = .leave(.noEndOfImage)
    }
    if case .turn = plan.action {} else { plan.pictures = Inventory.pictures(header, file.span) }
    guard plan.action.rewrites else { return .unchanged(plan) }
    try header.requireEnd()
    let completion = Completion(header: header, options: options)
    var rewrite = FileRewriter.Result()
    var picture = PictureTurn(header, .none, edging: .exact)
    if case .turn(let turn, _) = plan.action { picture = try planner.picture(header, turn) }
    do throws(PictureRewriter.Failure) {
      if case .turn = plan.action {
        rewrite = try FileRewriter(header: header, picture: picture, options: options).rewrite(file)
        plan.pictures = rewrite.pictures
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
    return try completion.outcome(plan, file, rewrite, isAsPlanned: isUpright)
  }

  /// Whether a part of the picture is cut away.
  package var isCropping: Bool { crop != nil }

  var planner: Planner { Planner(options: options, then: then, crop: crop) }

  /// Whether a new file asks for nothing more.
  private func isUpright(_ file: [UInt8]) -> Bool {
    guard let header = try? Header.beginning(file),
      case .nothing? = try? Planner(options: options).plan(header, file.span).action
    else { return false }
    return true
  }
}
