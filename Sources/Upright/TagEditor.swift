public import ImageOrientation
internal import JPEGCore

/// Changes the Orientation tag of a file without changing the image.
///
/// The value in IFD0 is changed in place, and an Orientation in XMP is changed with it. A file without Exif gets an Exif
/// block, if no offsets point to the data that moves. Viewers that ignore the tag show the image as before.
public struct TagEditor: Sendable {
  /// The change of the tag.
  public enum Operation: Hashable, Sendable {
    /// Sets the tag to this orientation.
    case set(Orientation)
    /// Sets the tag so that the displayed image is transformed.
    case transform(OrientationTransform)
    /// Removes the tag, so that the image is displayed as it is stored.
    case remove
  }

  /// The change of the tag.
  public var operation: Operation
  /// The options; only those for content credentials, limits, the check and the undo record are used.
  public var options: Options

  /// Creates a tag editor.
  public init(_ operation: Operation, options: Options = Options()) {
    self.operation = operation
    self.options = options
  }

  /// Returns the plan for a file.
  ///
  /// - Parameter file: The whole file; only its header is read.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try plan(try Header(leading: file), file.span, file.count).plan
  }

  /// Returns the plan for a file, from its beginning.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil if the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard let header = try Header.beginning(beginning) else { return nil }
    return try plan(header, beginning.span, nil).plan
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
    return try plan(header, beginning.span, size).plan
  }

  /// Changes the tag of a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or not a JPEG file.
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
    // The displayed image stays, and so does a tag that differs from another.
    if operation == .transform(.none) {
      if let orientation = header.orientation.stated {
        plan.action = .unchanged(.tagAlready(orientation.rawValue))
      }
      return (plan, [])
    }
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
    plan.estimatedMemory = Int(clamping: limits.memoryOfFile)
    if let reason = Planner(options: options).credentialRefusal(header, bytes)
      ?? limits.refusal(memory: limits.memoryOfFile)
    {
      plan.action = .skip(reason)
      return (plan, [])
    }
    plan.changes = edits.map(Change.init).sorted { $0.range.lowerBound < $1.range.lowerBound }
    return (plan, edits)
  }

  /// The error of a tag that cannot be changed.
  struct Refusal: Error {
    var reason: Reason
  }

  /// Returns the new orientation, or nil if the tag is removed.
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

  /// Returns notes on fields that are kept.
  private func notes(
    _ header: Header,
    _ orientation: Orientation?,
    _ bytes: Span<UInt8>
  ) -> [String] {
    var notes: [String] = []
    for block in header.exif {
      guard let own = block.integer(.ifd1, ExifTag.orientation, bytes),
        own != orientation.map({ Int64($0.rawValue) })
      else { continue }
      notes.append("the thumbnail's own Orientation stays \(own)")
    }
    if options.contentCredentials == .keep, !header.credentialSegments(bytes).isEmpty {
      notes.append("the content credentials are kept but no longer match the file")
    }
    return notes
  }
}
