public import ImageOrientation
internal import JPEGCore

/// Normalizes the orientation of JPEG, HEIF and AVIF files, and optionally transforms them further.
///
/// It takes and returns bytes. The image of a JPEG file is transformed in the DCT domain, that of another one by `irot` and
/// `imir`. Every segment of the original stays in its place; only Orientation and the fields that describe the stored image
/// change. The data after the image is copied.
///
/// ```swift
/// let normalizer = Normalizer()
/// if case .rewritten(let result) = try normalizer.normalize(photo) {
///   store(result.bytes)
/// }
/// let flip = Normalizer(then: .flipHorizontal)
/// ```
public struct Normalizer: Sendable {
  /// The policies and limits.
  public var options: Options
  /// The transform of the displayed image that is applied in addition to the normalization, in the same step.
  ///
  /// A file without Orientation counts as upright. With a transform other than `.none`, a file with a suspected stale
  /// tag is not skipped, because the caller has seen the image. Applying the transform twice transforms twice.
  public var then: OrientationTransform
  /// Runs parts of the work on one file on several cores, or nil if the calling thread does all of it.
  ///
  /// It calls its second argument for each number from 0 to below its first, and returns after the last call, as
  /// `{ DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }` does. It is used only for components that are
  /// re-encoded, and does not help when many files are processed concurrently.
  ///
  /// Default: nil.
  public var concurrentPerform: (@Sendable (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void)?

  /// Creates a normalizer.
  ///
  /// - Parameters:
  ///   - options: The policies and limits.
  ///   - transform: A transform of the displayed image, applied in addition to the normalization.
  public init(options: Options = Options(), then transform: OrientationTransform = .none) {
    self.options = options
    then = transform
  }

  /// Returns the plan for a file, without decoding it.
  ///
  /// The plan is what ``normalize(_:)`` would do, decided from the header. Damage in the rest of the file is found only
  /// when the plan is executed.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan { try rewriter.plan(file) }

  /// Returns the plan for a file, from its beginning.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil if the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    try rewriter.plan(beginning: beginning)
  }

  /// Normalizes the orientation of a file, and applies the transform ``then``.
  ///
  /// It works in the calling thread, and ends early if the task is cancelled or the time limit is exceeded.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or of no format that can be changed, or exceeds a limit.
  public func normalize(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try rewriter.rewrite(file)
  }

  /// What does the work.
  package var rewriter: Rewriter {
    var rewriter = Rewriter(.normalize(then: then), options: options)
    rewriter.concurrentPerform = concurrentPerform
    return rewriter
  }

  /// Returns the transform after which the thumbnail of an upright image would show it upright, too.
  package func thumbnailTransform(_ file: [UInt8]) -> OrientationTransform? {
    guard let photo = try? JPEGPhoto(file) else { return nil }
    return try? options.limited(on: concurrentPerform) { () throws(UprightError) in
      ThumbnailContent.misfit(photo.header, file, options)
    }
  }
}

#if !hasFeature(Embedded)
extension Normalizer {
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
      return try rewriter.plan(size: size, reading: read)
    } catch { throw error.underlying }
  }
}
#endif
