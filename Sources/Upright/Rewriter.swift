package import JPEGCore

/// Normalizes, transforms, crops and tags photos: plans what is requested, rewrites the file, and checks the result.
///
/// It takes and returns bytes. The image of a JPEG file is transformed in the DCT domain, that of a HEIF or AVIF file by
/// `irot` and `imir`; other formats are changed by their Orientation tag. Every segment of the original stays in its place;
/// only Orientation and the fields that describe the stored image change. Gain maps, depth maps and other images after the
/// first are transformed with it, and all other data after it is copied.
///
/// ```swift
/// if case .rewritten(let result) = try Rewriter().rewrite(photo) {
///   store(result.bytes)
/// }
/// let flip = Rewriter(.normalize(then: .flipHorizontal))
/// let square = Rewriter(.crop(PixelRectangle(x: 500, y: 0, width: 3024, height: 3024)))
/// let tag = Rewriter(.tag(.set(.up)))
/// ```
public struct Rewriter: Sendable {
  /// What is requested.
  public var request: Request
  /// The policies and limits.
  public var options: Options
  /// Runs parts of the work on one file on several cores, or nil if the calling thread does all of it.
  ///
  /// It is used only for components that are re-encoded, and does not help when many files are processed concurrently.
  package var threads: WorkLimit.Threads?

  /// How results get their undo data, or nil if that in a file is copied like all other segments.
  package var embedding: UndoEmbedding?

  /// Creates a rewriter.
  ///
  /// - Parameters:
  ///   - request: What is requested of each file.
  ///   - options: The policies and limits.
  public init(_ request: Request = .normalize(), options: Options = Options()) {
    (self.request, self.options) = (request, options)
  }

  /// Does what is requested with a file.
  ///
  /// It works in the calling thread, and ends early if the task is cancelled or the time limit is exceeded.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or of no format that can be changed so, exceeds a limit, or does not
  ///   have what is requested, such as a rectangle within the image (code `outside-image`).
  public func rewrite(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    return try options.limited(on: threads) { () throws(UprightError) in
      var photo = try Photo(file, taking: request.formats)
      return try execute(try plan(&photo).value, photo, file)
    }
  }

  /// Executes the plan for a photo whose file was read completely since.
  package func rewrite(
    _ file: [UInt8],
    as planned: PlannedPhoto
  ) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    return try options.limited(on: threads) { () throws(UprightError) in
      guard let photo = try planned.photo.completed(with: file) else { return try rewrite(file) }
      // The header does not show a DNL segment, for which a plan from the whole file refuses the image.
      guard request.isOfTag || photo.jpeg?.header.container.hasDNL != true else {
        return try rewrite(file)
      }
      return try execute(planned.plan, photo, file)
    }
  }

  private func execute(
    _ plan: Plan,
    _ photo: Photo,
    _ file: [UInt8]
  ) throws(UprightError) -> Outcome {
    try PlanExecution(
      photo: photo.withAllXMP(),
      file: file,
      request: request,
      options: options,
      requestedEmbedding: embedding
    ).outcome(plan)
  }
}
