package import ImageFormats
package import JPEGCore

/// Does what is requested with files: plans, rewrites and checks.
///
/// It takes and returns bytes.
package struct Rewriter: Sendable {
  /// What is requested.
  package var request: Request
  /// The policies and limits.
  package var options: Options
  /// Runs parts of the work on one file on several cores, or nil if the calling thread does all of it.
  package var concurrentPerform: WorkLimit.Threads?

  package init(_ request: Request, options: Options = Options()) {
    (self.request, self.options) = (request, options)
  }

  /// Returns the plan for a whole file, of which only the header is read.
  package func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try options.checkSize(file.count)
    var photo = try Photo(leading: file, taking: request.formats)
    return try plan(&photo).value
  }

  /// Returns the plan for a file, from its beginning; nil if the header is longer than that.
  package func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard case .done(let photo) = try JPEGPhoto.open(beginning, size: nil, isWhole: false) else {
      return nil
    }
    var opened = Photo.jpeg(photo)
    return try plan(&opened).value
  }

  /// Returns the plan for a file, reading only its header.
  package func plan<Failure: Error>(
    size: Int?,
    reading read: PhotoReader<Failure>.Read
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

  /// Does what is requested with a whole file.
  package func rewrite(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    return try options.limited(on: concurrentPerform) { () throws(UprightError) in
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
    return try options.limited(on: concurrentPerform) { () throws(UprightError) in
      // The header does not show stray bytes after the first scan, for which a plan from the whole file refuses the image.
      guard let photo = try planned.photo.completed(with: file),
        request.isOfTag || !photo.hasStrayBytes
      else { return try rewrite(file) }
      return try execute(planned.plan, photo, file)
    }
  }

  private func execute(
    _ plan: Plan,
    _ photo: Photo,
    _ file: [UInt8]
  ) throws(UprightError) -> Outcome {
    try PlanExecution(photo: photo, file: file, request: request, options: options).outcome(plan)
  }
}

/// A photo of which the header was read, and its plan.
package struct PlannedPhoto: Sendable {
  package var photo: Photo
  package let plan: Plan
}

extension Photo {
  /// Whether bytes in a JPEG file belong to no segment.
  fileprivate var hasStrayBytes: Bool {
    guard case .jpeg(let photo) = self else { return false }
    return photo.header.container.strayByteOffset != nil
  }
}
