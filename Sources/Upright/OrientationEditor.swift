package import ImageFormats
package import ImageOrientation
internal import JPEGCore

/// Changes what an image file of a format other than JPEG states about its orientation; no coded byte changes.
///
/// In HEIF and AVIF files, `irot` and `imir` are changed and Orientation in Exif and XMP becomes 1; in TIFF and PNG files,
/// only the tag is changed.
package struct OrientationEditor: Sendable {
  /// What is requested.
  package enum Request: Hashable, Sendable {
    /// The orientation is normalized, and the displayed image then transformed.
    case normalize(then: OrientationTransform)
    /// Only the tag is changed.
    case tag(TagEditor.Operation)
  }

  private let request: Request
  private let options: Options

  /// Creates an editor that does what a normalizer does with a JPEG file.
  package init(_ normalizer: Normalizer) {
    request = .normalize(then: normalizer.then)
    options = normalizer.options
  }

  /// Creates an editor that does what a tag editor does with a JPEG file.
  package init(_ editor: TagEditor) {
    request = .tag(editor.operation)
    options = editor.options
  }

  /// Returns whether files of a format can be changed so, or the reason is worth reporting.
  package func canChange(_ format: ImageFormat) -> Bool {
    switch (format, request) {
    case (.heic, _), (.heif, _), (.avif, _): true
    case (.tiff, .tag), (.dng, .tag), (.png, .tag): true
    default: false
    }
  }

  /// Returns the plan for a file, with a few small reads besides its first bytes.
  ///
  /// - Returns: The plan and the format; nil if the file is of no format that is known, or JPEG.
  package func plan<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> (plan: Plan, format: ImageFormat)? {
    guard let image = try ImageStatements.image(beginning, size: size, read) else { return nil }
    let planner = OrientationPlanner(request: request, options: options)
    return (planner.change(ImageStatements(image), size: size).plan, image.format)
  }

  /// Changes a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError``.
  package func edit(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    guard let image = try ImageStatements.image(file) else {
      throw UprightError(.notJPEG, "the file is of no format that can be changed")
    }
    let change = OrientationPlanner(request: request, options: options)
      .change(ImageStatements(image), size: file.count)
    guard !change.edits.isEmpty else { return .unchanged(change.plan) }
    guard change.edits.areDisjoint else {
      return .unchanged(change.plan.skipped(.sharedBytes, []))
    }
    let result = change.edits.applied(to: file)
    guard let new = try? ImageStatements.image(result),
      change.isDone(in: ImageStatements(new)), new.hasContents(of: image, result, file)
    else { return .unchanged(change.plan.skipped(.sharedBytes, [])) }
    var undo: UndoRecord?
    if options.verification != .none {
      undo = try UndoBuilder(
        original: file,
        result: result,
        resultContainer: nil,
        edits: change.edits.map { $0.outline },
        images: []
      ).record()
    }
    if options.requiresUndo, undo == nil { return .unchanged(change.plan.skipped(.noUndo, [])) }
    var info = change.plan.image
    info.orientation = ImageStatements(new).shown
    return .rewritten(
      Rewrite(
        plan: change.plan,
        bytes: result,
        image: info,
        changes: change.plan.changes,
        verification: undo == nil ? .none : .restored,
        undo: undo
      )
    )
  }
}
