internal import Dispatch
internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import Upright

/// The operation of a command on each file.
enum FileOperation: Sendable {
  case normalize(Normalizer)
  case tag(TagEditor)
  case stored(StoredTransform)

  /// The library's options.
  var options: Options {
    switch self {
    case .normalize(let normalizer): normalizer.options
    case .tag(let editor): editor.options
    case .stored(let transform): transform.normalizer.options
    }
  }

  /// The operation on all cores, for a single file.
  var onAllCores: FileOperation {
    func onAllCores(_ normalizer: Normalizer) -> Normalizer {
      var normalizer = normalizer
      normalizer.concurrentPerform = {
        DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
      }
      return normalizer
    }
    switch self {
    case .normalize(let normalizer): return .normalize(onAllCores(normalizer))
    case .tag: return self
    case .stored(var transform):
      transform.normalizer = onAllCores(transform.normalizer)
      return .stored(transform)
    }
  }

  /// Returns the operation that transforms the displayed image, or keeps the file if there is nothing to transform.
  func rotating(by transform: OrientationTransform) -> FileOperation {
    guard case .normalize(var normalizer) = self, transform != .none else {
      return .tag(TagEditor(.transform(transform), options: options))
    }
    normalizer.then = transform
    return .normalize(normalizer)
  }

  /// Plans for a JPEG file of which the first bytes were read, and reads no more of it than needed.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, also if the file is of another format.
  func plan(_ file: borrowing FileReader, _ beginning: [UInt8]) throws -> PlannedPhoto {
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
      try file.read(at: offset, count: count)
    }
    do throws(ReadingError<any Error>) {
      let (photo, plan) = try PhotoReader.open(
        beginning,
        size: file.identity.size,
        read,
        for: plan
      )
      return PlannedPhoto(content: .jpeg(photo), plan: plan)
    } catch { throw error.underlying }
  }

  private func plan(_ photo: inout Photo) throws(UprightError) -> Photo.Step<Plan> {
    switch self {
    case .normalize(let normalizer): try normalizer.plan(&photo)
    case .tag(let editor): try editor.plan(&photo)
    case .stored(let transform): try transform.plan(&photo)
    }
  }

  /// Plans for a file in memory.
  private func plan(_ file: [UInt8]) throws(UprightError) -> (photo: Photo, value: Plan) {
    do throws(ReadingError<Never>) {
      return try PhotoReader.open(
        size: file.count,
        { (offset, count) throws(Never) in Array(file.dropFirst(offset).prefix(count)) },
        for: plan
      )
    } catch {
      switch error {
      case .content(let error): throw error
      }
    }
  }

  /// Whether an output is written.
  ///
  /// A crop that is not carried out writes none, because the copy would still show what was to be removed. Neither do
  /// programs that report only by their exit status.
  func copies(_ outcome: Outcome) -> Bool {
    guard case .skip = outcome.plan.action else { return true }
    return switch self {
    case .normalize(let normalizer): !normalizer.isCropping
    case .tag: true
    case .stored: false
    }
  }

  /// Whether the displayed image of a result differs from that of the original.
  func changesDisplay(_ rewrite: Rewrite) -> Bool {
    if rewrite.image.isOfOtherFormat {
      guard case .normalize(let normalizer) = self else { return true }
      return normalizer.then != .none
    }
    var transform = OrientationTransform.none
    if case .transform(let stored, _) = rewrite.plan.action { transform = stored }
    let shown = transform.then(rewrite.image.orientation?.transform ?? .none)
    return rewrite.plan.isCropped || rewrite.plan.image.displayed(shown) != .none
  }

  /// Performs the operation on a whole file.
  func outcome(_ file: [UInt8], _ planned: PlannedPhoto? = nil) throws(UprightError) -> Outcome {
    if let orientationEditor,
      planned.map({ !$0.isJPEG })
        ?? ImageFormat(beginning: file.span).map({ orientationEditor.formats.contains($0) })
        ?? false
    {
      return try orientationEditor.edit(file)
    }
    switch self {
    case .normalize(let normalizer):
      guard let planned, let photo = planned.photo else { return try normalizer.normalize(file) }
      return try normalizer.normalize(file, as: planned.plan, for: photo)
    case .tag(let editor):
      guard let photo = planned?.photo else { return try editor.edit(file) }
      return try editor.edit(file, for: photo)
    case .stored(let transform):
      guard let planned, let photo = planned.photo else {
        let (photo, plan) = try plan(file)
        return try transform.outcome(file, as: plan, for: photo)
      }
      return try transform.outcome(file, as: planned.plan, for: photo)
    }
  }
}

/// A photo of which the header was read, and its plan.
struct PlannedPhoto {
  let content: Content
  let plan: Plan

  /// What was read of a photo.
  enum Content {
    /// The header of a JPEG file.
    case jpeg(Photo)
    /// What a file of another format states about its orientation.
    case other
  }

  /// Whether the format is JPEG.
  var isJPEG: Bool { photo != nil }

  /// The photo, if the format is JPEG.
  var photo: Photo? {
    guard case .jpeg(let photo) = content else { return nil }
    return photo
  }
}
