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
    case tag(TagEditor.Operation, TagEditor.Page)
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
    request = .tag(editor.operation, editor.page)
    options = editor.options
  }

  /// The formats whose files can be changed so, or not for a reason that is worth reporting.
  package var formats: Set<ImageFormat> {
    var formats: Set<ImageFormat> = [.heic, .heif, .avif]
    if case .tag = request { formats.formUnion([.tiff, .dng, .png]) }
    return formats
  }

  /// Returns the plan for a file, with a few small reads besides its first bytes; nil for JPEG and unknown formats.
  package func plan<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> (plan: Plan, format: ImageFormat)? {
    guard let file = try ImageStatements.read(beginning, size: size, read) else { return nil }
    return (change(file, size: size).plan, file.image.format)
  }

  private func change(_ file: ImageStatements, size: Int) -> OrientationChange {
    OrientationPlanner(request: request, options: options).change(file, size: size)
  }

  /// Changes a file.
  package func edit(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try options.checkSize(file.count)
    guard let old = try ImageStatements.read(file) else {
      throw UprightError(.notJPEG, "the file is of no format that can be changed")
    }
    let change = change(old, size: file.count)
    let plan = change.plan
    guard !change.edits.isEmpty else { return .unchanged(plan) }
    guard change.edits.areDisjoint else { return .unchanged(plan.skipped(.sharedBytes, [])) }
    let result = change.edits.applied(to: file)
    guard let new = try? ImageStatements.read(result), change.isDone(in: new),
      new.image.hasContents(of: old.image, result, file)
    else { return .unchanged(plan.skipped(.sharedBytes, [])) }
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
    if options.requiresUndo, undo == nil { return .unchanged(plan.skipped(.noUndo, [])) }
    var info = plan.image
    info.orientation = new.shown
    return .rewritten(
      Rewrite(
        plan: plan,
        bytes: result,
        image: info,
        changes: plan.changes,
        verification: undo == nil ? .none : .restored,
        undo: undo
      )
    )
  }
}
