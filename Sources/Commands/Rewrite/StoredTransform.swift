internal import ImageOrientation
internal import Upright

/// A transform of the stored image, whatever its Orientation tag, as jpegtran and exiftran perform it.
struct StoredTransform: Sendable {
  /// The policies, the crop, and how work is divided between cores.
  var normalizer = Normalizer()
  /// The transform of the stored image; nil for the one that the Orientation tag requires.
  var transform: OrientationTransform?
  /// Whether the Orientation tag keeps its value, instead of being set to 1.
  var keepsTag = false
  /// Whether a file with partial MCUs that would have to move fails.
  var isPerfect = false

  /// The transform with an Orientation without a meaning set to 1, as jhead and exiftran do.
  var resettingInvalid: StoredTransform {
    var transform = self
    transform.normalizer.options.resetsInvalid = true
    return transform
  }

  /// Returns the plan for a photo, or what it needs of the rest of the file.
  ///
  /// - Throws: ``UprightError``.
  func plan(_ photo: inout Photo) throws(UprightError) -> Photo.Step<Plan> {
    let step = try normalizer(for: photo.image).plan(&photo)
    if case .done(let plan) = step { try check(plan) }
    return step
  }

  /// Executes the plan for a photo whose file was read completely since.
  ///
  /// - Throws: ``UprightError``.
  func outcome(
    _ file: [UInt8],
    as plan: Plan,
    for photo: Photo
  ) throws(UprightError) -> Outcome {
    let image = photo.image
    let normalizer = normalizer(for: image)
    let outcome = try normalizer.normalize(file, as: plan, for: photo)
    guard keepsTag, case .rewritten(var rewrite) = outcome else { return outcome }
    // The normalizer has set the tags of image and thumbnail to 1.
    rewrite.restore(.thumbnailOrientation, of: file)
    guard let orientation = image.orientation, orientation != .up else {
      return .rewritten(rewrite)
    }
    let editor = TagEditor(.set(orientation), options: normalizer.options)
    guard case .rewritten(let tagged) = try editor.edit(rewrite.bytes) else {
      throw UprightError(.unsupported, "Orientation cannot keep its value \(orientation.rawValue)")
    }
    rewrite.bytes = tagged.bytes
    rewrite.undo = nil
    return .rewritten(rewrite)
  }

  /// Returns a normalizer that transforms the stored image by ``transform``.
  private func normalizer(for image: ImageInfo) -> Normalizer {
    guard let transform else { return normalizer }
    var normalizer = normalizer
    normalizer.then = image.displayed(transform)
    // The caller has decided, even if the result is the same as that of the tag.
    normalizer.options.onConflict = .trustTag
    return normalizer
  }

  private func check(_ plan: Plan) throws(UprightError) {
    guard isPerfect, case .transform(_, let edges) = plan.action else { return }
    if case .lossless = edges { return }
    throw UprightError(
      .unalignedEdge,
      "the transform is not perfect: the image size is not a multiple of the MCU size"
    )
  }
}

extension Rewrite {
  /// Gives a field of the result its value in the original back.
  fileprivate mutating func restore(_ field: Change.Field, of original: [UInt8]) {
    var shift = 0
    for change in changes {
      let start = change.range.lowerBound + shift
      shift += change.replacement.count - change.range.count
      guard change.field == field, change.replacement.count == change.range.count else { continue }
      bytes.replaceSubrange(start..<start + change.range.count, with: original[change.range])
      undo = nil
    }
  }
}
