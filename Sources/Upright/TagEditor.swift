public import ImageOrientation
internal import JPEGCore

/// Changes what a file says of its orientation, and nothing else: the image stays as it is stored.
///
/// The number of the Orientation in IFD0 changes where it stands; where XMP in the file gives an Orientation,
/// too, it follows, for otherwise the two would contradict each other. A file without Exif gets a block of its
/// own, if nothing stands in the way. Viewers that ignore the tag see no difference.
public struct TagEditor: Sendable {
  /// What becomes of the tag.
  public enum Operation: Hashable, Sendable {
    /// It becomes this one, whatever it was.
    case set(Orientation)
    /// It becomes the one that shows the image transformed from what a viewer sees now.
    case transform(OrientationTransform)
    /// It is taken out, so that the image is shown as it is stored.
    case remove
  }

  /// What becomes of the tag.
  public var operation: Operation
  /// What is done where there is a choice; only content credentials, the check and the undo record matter.
  public var options: Options

  /// Makes a tag editor.
  public init(_ operation: Operation, options: Options = Options()) {
    self.operation = operation
    self.options = options
  }

  /// Plans for a file.
  ///
  /// - Parameter file: The whole file, of which the header is read.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try plan(try Header(leading: file), file.span, file.count).plan
  }

  /// Plans from the beginning of a file.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil when the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard let header = try Header.beginning(beginning) else { return nil }
    return try plan(header, beginning.span, nil).plan
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
    return try plan(header, beginning.span, size).plan
  }

  /// Changes the tag of a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or why there is none.
  /// - Throws: ``UprightError``; the file is damaged, or no JPEG file.
  public func edit(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    let header = try Header(whole: file).withAllXMP(file.span)
    var (plan, edits) = try plan(header, file.span, file.count)
    plan.embeddedImages = Inventory.images(header, file.span)
    guard case .changeTag(let orientation) = plan.action else { return .unchanged(plan) }
    try header.requireEnd()
    var rewrite = FileRewriter.Result()
    rewrite.edits = FileRewriter.changingTag(edits, header, options, file)
    let completion = Completion(header: header, options: options)
    return try completion.outcome(plan, file, &rewrite) { result in
      guard let stored = (try? Header.beginning(result))?.orientation else { return false }
      return stored == .value(orientation ?? .up) || orientation == nil && stored == .absent
    }
  }

  private func plan(
    _ header: Header,
    _ bytes: Span<UInt8>,
    _ size: Int?
  ) throws(UprightError) -> (plan: Plan, edits: [Edit]) {
    let header = header.withAllXMP(bytes)
    var plan = Plan(
      image: ImageInfo(header.frame, header.orientation.stated),
      action: .unchanged(.noOrientation),
      changes: [],
      embeddedImages: Inventory.thumbnails(header.thumbnails(bytes)),
      notes: []
    )
    let edits: [Edit]
    do throws(Refusal) {
      let orientation = try orientation(header)
      edits = try TagEdits(header: header).edits(to: orientation, bytes)
      if !edits.isEmpty {
        plan.action = .changeTag(orientation)
        plan.notes = notes(header, orientation, bytes)
      } else if header.orientation != .absent {
        plan.action = .unchanged(orientation.map { .tagAlready($0.rawValue) } ?? .noOrientation)
      }
    } catch {
      plan.action = .skip(error.reason)
      return (plan, [])
    }
    guard !edits.isEmpty else { return (plan, []) }
    try options.checkSize(size ?? 0)
    let limits = DecodingLimits(options, size: size)
    plan.estimatedMemory = limits.memoryOfFile
    if let reason = Planner(options: options).credentialRefusal(header, bytes)
      ?? limits.refusal(memory: plan.estimatedMemory)
    {
      plan.action = .skip(reason)
      return (plan, [])
    }
    plan.changes = edits.map(Change.init).sorted { $0.range.lowerBound < $1.range.lowerBound }
    return (plan, edits)
  }

  /// Why a tag cannot be changed.
  struct Refusal: Error {
    var reason: Reason
  }

  /// The orientation that the file is to say; nil where it is to say none.
  private func orientation(_ header: Header) throws(Refusal) -> Orientation? {
    if let problem = header.exifProblem { throw Refusal(reason: .unreadableExif(problem)) }
    switch operation {
    case .set(let orientation): return orientation
    case .remove: return nil
    case .transform(let transform):
      switch header.orientation {
      case .absent: return Orientation.up.transformed(by: transform)
      case .unknown where options.strictOrientation:
        throw Refusal(reason: .reservedOrientation(0))
      case .unknown: return Orientation.up.transformed(by: transform)
      case .value(let orientation): return orientation.transformed(by: transform)
      case .reserved(let value): throw Refusal(reason: .reservedOrientation(value))
      case .unclear(let values): throw Refusal(reason: .unclearOrientation(values))
      }
    }
  }

  /// What people should know of what is kept.
  private func notes(
    _ header: Header,
    _ orientation: Orientation?,
    _ bytes: Span<UInt8>
  ) -> [String] {
    var notes: [String] = []
    for block in header.exif {
      guard let own = block.integer(.ifd1, ExifTag.orientation, bytes), own != orientation?.rawValue
      else { continue }
      notes.append("the thumbnail's own Orientation stays \(own)")
    }
    if options.contentCredentials == .keep, !header.credentialSegments(bytes).isEmpty {
      notes.append("the content credentials are kept but no longer match the file")
    }
    return notes
  }
}
