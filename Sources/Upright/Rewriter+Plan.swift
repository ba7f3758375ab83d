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

  /// Returns the plan for a file that is still arriving.
  ///
  /// Without the size of the file, a JPEG file is planned for by what precedes its first scan; a file of another format
  /// is needed up to its end. Once the file has ended, call this with its size.
  ///
  /// - Parameters:
  ///   - beginning: The first bytes of the file.
  ///   - size: The file's size in bytes, or nil if it is unknown.
  /// - Returns: The plan, or how much of the file it needs.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8], size: Int? = nil) throws(UprightError) -> EarlyPlan {
    do throws(ReadingError<MissingBytes>) {
      return .plan(try plan(arrived: beginning, size: size))
    } catch {
      switch error {
      case .content(let error): throw error
      case .reader(let missing): return .needs(bytes: missing.needed)
      }
    }
  }

  private func plan(
    arrived beginning: [UInt8],
    size: Int?
  ) throws(ReadingError<MissingBytes>) -> Plan {
    let isWhole = beginning.count == size
    let format = ImageFormat(beginning: beginning.span)
    let isUnbounded = size == nil && format != .jpeg && format.map(request.formats.contains) == true
    guard isWhole || beginning.count >= ImageFormat.recognizedLength && !isUnbounded else {
      let needed = min(max(2 * beginning.count, JPEGPhoto.smallRead), size ?? .max)
      throw .reader(MissingBytes(needed: needed))
    }
    func read(_ offset: Int, _ count: Int) throws(MissingBytes) -> [UInt8] {
      let end = min(offset + count, size ?? .max)
      guard end <= beginning.count else { throw MissingBytes(needed: end) }
      return Array(beginning.dropFirst(offset).prefix(count))
    }
    var photo = try PhotoReader.open(beginning, size: size, taking: request.formats, read)
    return try plan(&photo, reading: read)
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
    let plan = try plan(&photo, reading: read)
    return PlannedPhoto(photo: photo, plan: plan)
  }

  private func plan<Failure: Error>(
    _ photo: inout Photo,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> Plan {
    let planner = planner(photo.size)
    switch photo {
    case .other(let statements):
      do throws(UprightError) { return try planner.plan(statements) } catch {
        throw .content(error)
      }
    case .jpeg(var jpeg):
      defer { photo = .jpeg(jpeg) }
      return try PhotoReader.complete(&jpeg, read, planner.plan)
    }
  }

  /// Returns the plan for a photo, or what it needs of the rest of the file.
  func plan(_ photo: inout Photo) throws(UprightError) -> Photo.Step<Plan> {
    try planner(photo.size).plan(&photo)
  }

  /// Returns the planner for files of a size, nil if that is unknown.
  func planner(_ size: Int?) -> Planner { Planner(request: request, options: options, size: size) }
}

/// The plan for a file that is still arriving, if enough of it is there.
public enum EarlyPlan: Sendable {
  /// The plan.
  case plan(Plan)
  /// The plan needs this number of bytes from the beginning of the file.
  case needs(bytes: Int)
}

/// What is missing of a file that is still arriving: the number of bytes that are needed from its beginning.
private struct MissingBytes: Error {
  var needed: Int
}

/// A photo of which the header was read, and its plan.
package struct PlannedPhoto: Sendable {
  package var photo: Photo
  package let plan: Plan
}
