package import ImageFormats

extension Rewriter {
  /// Returns the plan for a file, without decoding it.
  ///
  /// The plan is what ``rewrite(_:)`` would do, decided from the header. Damage in the rest of the file is found only when
  /// the plan is executed.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try options.checkSize(file.count)
    var photo = try Photo(leading: file, taking: request.formats)
    return try plan(&photo).value
  }

  /// Returns the plan for a file that is still arriving, or how much of it is needed.
  ///
  /// Without the size of the file, a JPEG file is planned for by what precedes its first scan; a file of another format
  /// is needed up to its end. Once the file has ended, call this with its size.
  ///
  /// - Parameters:
  ///   - beginning: The first bytes of the file.
  ///   - size: The file's size in bytes, or nil if it is unknown.
  /// - Returns: The plan, or the number of bytes that `beginning` must have.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8], size: Int? = nil) throws(UprightError) -> PartialPlan {
    let isWhole = beginning.count == size
    let format = ImageFormat(beginning: beginning.span)
    let isUnbounded = size == nil && format != .jpeg && format.map(request.formats.contains) == true
    guard isWhole || beginning.count >= ImageFormat.recognizedLength && !isUnbounded else {
      return .needs(bytes: min(max(2 * beginning.count, JPEGPhoto.smallRead), size ?? .max))
    }
    func read(_ offset: Int, _ count: Int) throws(Missing) -> [UInt8] {
      let end = min(offset + count, size ?? .max)
      guard end <= beginning.count else { throw Missing(bytes: end) }
      return Array(beginning.dropFirst(offset).prefix(count))
    }
    do throws(ReadingError<Missing>) {
      var photo = try PhotoReader.open(beginning, size: size, taking: request.formats, read)
      return .plan(try PhotoReader.complete(&photo, read, plan))
    } catch {
      switch error {
      case .content(let error): throw error
      case .reader(let missing): return .needs(bytes: missing.bytes)
      }
    }
  }

  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``ReadingError``.
  public func plan<Failure: Error>(
    size: Int? = nil,
    reading read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(ReadingError<Failure>) -> Plan {
    try planned(size: size, taking: request.formats, reading: read).plan
  }

  /// Opens a file and plans for it, with a few small reads.
  ///
  /// `ending` is that of the file's name, without a dot.
  package func planned<Failure: Error>(
    size: Int?,
    taking formats: Set<ImageFormat>,
    ending: String? = nil,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> PlannedPhoto {
    var photo = try PhotoReader.open(size: size, taking: formats, ending: ending, read)
    let plan = try PhotoReader.complete(&photo, read, plan)
    return PlannedPhoto(photo: photo, plan: plan)
  }

  /// Returns the plan for a photo, or what it needs of the rest of the file.
  func plan(_ photo: inout Photo) throws(UprightError) -> Photo.Step<Plan> {
    try Planner(request: request, options: options, size: photo.size).plan(&photo)
  }

  /// What is missing of a file that is still arriving.
  private struct Missing: Error {
    /// The number of bytes that are needed from the beginning of the file.
    var bytes: Int
  }
}

/// The plan for a file of which the beginning is known, or how much of the file it needs.
public enum PartialPlan: Sendable {
  /// The plan.
  case plan(Plan)
  /// The number of bytes from the beginning of the file that are needed.
  case needs(bytes: Int)

  /// The plan, or nil if more of the file is needed.
  public var plan: Plan? {
    guard case .plan(let plan) = self else { return nil }
    return plan
  }
}

/// A photo of which the header was read, and its plan.
package struct PlannedPhoto: Sendable {
  package var photo: Photo
  package let plan: Plan
}
