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

  /// The pages of a TIFF file, each of which has an Orientation of its own.
  public enum Page: Hashable, Sendable {
    /// The first page that is no reduced rendition, and the reduced renditions of it.
    case first
    /// The page with this number, from 1.
    case number(Int)
    /// All pages.
    case all
  }

  /// The change of the tag.
  public var operation: Operation
  /// The pages whose tags change; other formats have one page.
  public var page = Page.first
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
    var photo = try Photo(leading: file)
    return try plan(&photo).value
  }

  /// Returns the plan for a file, from its beginning.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil if the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    let step = try Photo.open(beginning, size: nil, isWhole: false)
    guard case .done(var photo) = step else { return nil }
    return try plan(&photo).value
  }

  /// Changes the tag of a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or not a JPEG file.
  public func edit(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    return try edit(Photo(file))
  }

  /// Changes the tag of a file whose header was opened before it was read completely.
  ///
  /// It is planned again, because the header does not show whether data after the image must not move.
  package func edit(_ file: [UInt8], for photo: Photo) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    guard let photo = try photo.completed(with: file) else { return try edit(file) }
    return try edit(photo)
  }

  private func edit(_ photo: Photo) throws(UprightError) -> Outcome {
    var photo = photo
    var plan = try plan(&photo).value
    let execution = PlanExecution(photo: photo, options: options)
    guard plan.work != nil else {
      plan.embeddedImages = execution.images
      return .unchanged(plan)
    }
    return try execution.outcome(plan)
  }

  /// Returns the plan for a photo.
  package func plan(_ photo: inout Photo) throws(UprightError) -> Photo.Step<Plan> {
    let header = photo.headerWithAllXMP()
    let bytes = photo.bytes.span
    var plan = Plan(photo, .unchanged(.noOrientation))
    if case .number(let number) = page, number != 1 {
      plan.action = .skip(.noPage(number, of: 1))
      return .done(plan)
    }
    // The displayed image stays, and so does a tag that differs from another.
    if operation == .transform(.none) {
      if let orientation = header.orientation.stated {
        plan.action = .unchanged(.tagAlready(orientation.rawValue))
      }
      return .done(plan)
    }
    let change: TagChange
    do throws(TagChange.Refusal) {
      let orientation = try orientation(header)
      change = try TagChange(header, to: orientation, bytes)
      if !change.edits.isEmpty {
        plan.action = .changeTag(orientation)
        plan.notes = notes(header, orientation, bytes)
      } else if header.orientation != .absent {
        plan.action = .unchanged(orientation.map { .tagAlready($0.rawValue) } ?? .noOrientation)
      }
    } catch {
      plan.action = .skip(error.reason)
      return .done(plan)
    }
    guard !change.edits.isEmpty else { return .done(plan) }
    try options.checkSize(photo.size ?? 0)
    let limits = DecodingLimits(options, size: photo.size)
    plan.estimatedMemory = Int(clamping: limits.memoryOfFile)
    if let reason = options.contentCredentials.refusal(header, bytes)
      ?? limits.refusal(memory: limits.memoryOfFile)
      ?? (plan.action.permits(change.edits, header, photo) ? nil : .sharedBytes)
    {
      plan.action = .skip(reason)
      return .done(plan)
    }
    plan.changes = change.edits.changes
    plan.work = .changeTag(change)
    return .done(plan)
  }

  private func orientation(_ header: Header) throws(TagChange.Refusal) -> Orientation? {
    if let problem = header.exifProblem {
      throw TagChange.Refusal(reason: .unreadableExif(problem))
    }
    switch operation {
    case .set(let orientation): return orientation
    case .remove: return nil
    case .transform(let transform):
      switch header.orientation {
      case .absent: return Orientation.up.transformed(by: transform)
      case .unknown where options.strictOrientation:
        throw TagChange.Refusal(reason: .reservedOrientation(0))
      case .unknown: return Orientation.up.transformed(by: transform)
      case .value(let orientation): return orientation.transformed(by: transform)
      case .reserved(let value): throw TagChange.Refusal(reason: .reservedOrientation(value))
      case .unclear(let values): throw TagChange.Refusal(reason: .unclearOrientation(values))
      }
    }
  }

  @ListBuilder<String>
  private func notes(
    _ header: Header,
    _ orientation: Orientation?,
    _ bytes: Span<UInt8>
  ) -> [String] {
    for own in header.exif.compactMap({ $0.integer(.ifd1, ExifTag.orientation, bytes) })
    where own != orientation.map({ Int64($0.rawValue) }) {
      "the thumbnail's own Orientation stays \(own)"
    }
    OrientationCopies(header, to: orientation ?? .up, bytes).notes
    header.xmp.compactMap {
      $0.rotationNote(from: header.orientation.usable, to: orientation ?? .up)
    }
    options.contentCredentials.notes(header, bytes)
  }
}

#if !hasFeature(Embedded)
extension TagEditor {
  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func plan(
    size: Int? = nil,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Plan {
    do throws(ReadingError<any Error>) {
      return try PhotoReader.open(size: size, read, for: plan).value
    } catch { throw error.underlying }
  }
}
#endif
