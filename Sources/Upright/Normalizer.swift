internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// Makes JPEG files upright: from bytes to bytes, without a file system.
///
/// The raster is turned in the DCT domain and every segment of the original is kept in its place, byte for
/// byte but for Orientation and the dimensions; what follows the picture is copied.
///
/// ```swift
/// let normalizer = Normalizer()
/// if case .rewritten(let result) = try normalizer.normalize(photo) {
///   store(result.bytes)
/// }
/// ```
public struct Normalizer: Sendable {
  /// What is done where there is a choice.
  public var options: Options

  /// Makes a normalizer.
  public init(options: Options = Options()) { self.options = options }

  /// Plans from the beginning of a file.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil when the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard let header = try header(beginning) else { return nil }
    return try Planner(options: options).plan(header, beginning.span)
  }

  /// The header of a file; nil when it is longer than `beginning`.
  func header(_ beginning: [UInt8]) throws(UprightError) -> Header? {
    do throws(ContainerError) {
      return try Header(try Container(beginning.span, extent: .header), beginning.span)
    } catch {
      guard error.kind != .truncated else { return nil }
      throw UprightError(error)
    }
  }

  /// Makes a file upright.
  ///
  /// The work goes on in the calling thread. It ends early where the task that it belongs to is cancelled, or
  /// the options' time limit is over.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or why there is none.
  /// - Throws: ``UprightError``; the file is damaged, or no JPEG file, or a limit is reached.
  public func normalize(_ file: [UInt8]) throws(UprightError) -> Outcome {
    if let maxBytes = options.maxBytes, file.count > maxBytes {
      throw UprightError(
        .limit,
        "the file has \(file.count) bytes, more than the limit of \(maxBytes)"
      )
    }
    return try limited { () throws(UprightError) in try makeOutcome(file) }
  }

  /// Does work that ends where the task is cancelled or the time is over.
  private func limited<Value>(
    _ work: () throws(UprightError) -> Value
  ) throws(UprightError) -> Value {
    let deadline = options.timeLimit.map { ContinuousClock.now.advanced(by: $0) }
    return try WorkLimit.observing(until: deadline) { () throws(UprightError) in
      let result = Result { () throws(UprightError) in try work() }
      // Whatever was stopped early has no value and no say.
      switch WorkLimit.reached {
      case nil: return try result.get()
      case .cancellation: throw UprightError(.cancelled, "the work was cancelled")
      case .deadline: throw UprightError(.timeLimit, "the work takes longer than the limit allows")
      }
    }.get()
  }

  private func makeOutcome(_ file: [UInt8]) throws(UprightError) -> Outcome {
    let header: Header
    do throws(ContainerError) {
      header = try Header(try Container(file.span), file.span)
    } catch { throw UprightError(error) }
    var plan = try Planner(options: options).plan(header, file.span)
    if case .nothing = plan.action, !header.container.isComplete {
      plan.action = .leave(.noEndOfImage)
    }
    switch plan.action {
    case .turn: break
    case .nothing, .leave, .resetTag: plan.pictures = Inventory.pictures(header, file.span)
    }
    if case .nothing = plan.action, options.checksUnchanged {
      if let reason = try reasonNotDecoded(header, file) {
        plan.notes.append("the picture was not checked: \(reason.explanation)")
      }
    }
    guard plan.action.rewrites else { return .unchanged(plan) }
    guard header.container.isComplete else {
      throw UprightError(
        .truncated,
        at: header.container.end,
        "the file ends before the picture does (no EOI)"
      )
    }
    var edits: [Edit] = []
    var turned: [TurnedPicture] = []
    var redraw: RedrawReport?
    do throws(PictureRewriter.Failure) {
      switch plan.action {
      case .turn(let turn, _):
        let rewrite = try FileRewriter(header: header, turn: turn, options: options).rewrite(file)
        edits = rewrite.edits
        turned = rewrite.turned
        redraw = rewrite.redraw
        plan.pictures = rewrite.pictures
        plan.notes = plan.notes.filter { !rewrite.notes.contains($0) } + rewrite.notes
      case .resetTag: edits = FileRewriter.resettingTag(header, options, file)
      case .nothing, .leave: break
      }
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason):
        return .unchanged(plan.left(reason, Inventory.pictures(header, file.span)))
      }
    }
    guard edits.areDisjoint else {
      return .unchanged(plan.left(.sharedBytes, Inventory.pictures(header, file.span)))
    }
    let changes = edits.map(Change.init).sorted { $0.range.lowerBound < $1.range.lowerBound }
    let bytes = edits.applied(to: file)
    guard isUpright(bytes) else {
      // In damaged files a value can lie on top of what says where values are.
      return .unchanged(plan.left(.sharedBytes, Inventory.pictures(header, file.span)))
    }
    let (verification, undo) = try verify(bytes, file, edits, turned)
    if options.requiresUndo, undo == nil {
      return .unchanged(plan.left(.noUndo, Inventory.pictures(header, file.span)))
    }
    return .rewritten(
      Rewrite(
        plan: plan,
        bytes: bytes,
        changes: changes,
        verification: verification,
        undo: undo,
        redraw: redraw
      )
    )
  }

  /// Decodes a picture that needs nothing.
  ///
  /// - Returns: Why it was not decoded; nil when it was, and is whole.
  /// - Throws: ``UprightError`` of code `damagedScan`.
  private func reasonNotDecoded(_ header: Header, _ file: [UInt8]) throws(UprightError) -> Reason? {
    let (frame, container) = (header.frame, header.container)
    guard CoefficientReader.canRead(frame, isInterleaved: header.isInterleaved) else {
      return .sampling(frame.factors)
    }
    let scans = container.scans.count
    if let reason = DecodingLimits(options).refusal(frame, scans: scans, isRedrawn: false) {
      return reason
    }
    do throws(PictureRewriter.Failure) {
      _ = try container.coefficients(file, frame, keeping: frame, turn: .none)
      return nil
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason): return reason
      }
    }
  }

  /// Whether a new file asks for nothing more.
  private func isUpright(_ file: [UInt8]) -> Bool {
    guard let container = try? Container(file.span, extent: .header),
      let header = try? Header(container, file.span),
      case .nothing? = try? Planner(options: options).plan(header, file.span).action
    else { return false }
    return true
  }

  /// Checks a result, as far as the options ask for it.
  ///
  /// - Throws: ``UprightError`` of code `verification`; the result must not be used.
  private func verify(
    _ result: [UInt8],
    _ original: [UInt8],
    _ edits: [Edit],
    _ turned: [TurnedPicture]
  ) throws(UprightError) -> (Rewrite.Verification, UndoRecord?) {
    guard options.verifies else { return (.none, nil) }
    do throws(PictureRewriter.Failure) {
      let builder = UndoBuilder(original: original, result: result, edits: edits, pictures: turned)
      // What the original's tables cannot code again may still be all there.
      if let record = try? builder.record() { return (.restored, record) }
      for picture in turned { try picture.verify(original, result, edits) }
      return (.coefficients, nil)
    } catch {
      throw UprightError(
        .verification,
        "the result does not agree with the original and was thrown away: \(error.text)"
      )
    }
  }
}

extension Plan {
  /// The plan of a file that is left alone after all.
  fileprivate func left(_ reason: Reason, _ pictures: [EmbeddedPicture]) -> Plan {
    var plan = self
    plan.action = .leave(reason)
    plan.changes = []
    plan.pictures = pictures
    return plan
  }
}
