public import ImageOrientation
internal import JPEGCore

/// Proves from two files alone that one is the other, normalized and otherwise unchanged.
///
/// Every coefficient is compared under the transform of the original's orientation followed by ``then``, and so is
/// every byte outside of the fields that a transform changes. The result may come from any program; what it lost is
/// listed.
public struct Verifier: Sendable {
  /// One of the two files.
  public enum File: String, Sendable {
    /// The original.
    case original
    /// The file to check.
    case result
  }

  /// The error of a file that cannot be read.
  public struct Unreadable: Error, Hashable, Sendable {
    /// Which file.
    public var file: File
    /// The error.
    public var error: UprightError

    /// Creates an error from its parts.
    public init(file: File, error: UprightError) {
      self.file = file
      self.error = error
    }
  }

  /// The maximum number of pixels of an image, as its header gives it.
  public var maxPixels = Options().maxPixels
  /// The expected transform of the displayed image, in addition to the normalization.
  public var then: OrientationTransform

  /// Whether the result must have every coefficient of the original, also those of thumbnails and secondary images.
  public var requiresLossless = false

  /// Whether data that no longer fits the image, such as a thermal matrix that was not transformed with it, is
  /// accepted with a note; otherwise it is a finding.
  public var acceptsRegisteredData = false

  /// Creates a verifier.
  public init(then transform: OrientationTransform = .none) { then = transform }

  /// Compares two files.
  ///
  /// - Parameters:
  ///   - original: The original.
  ///   - result: The file to check.
  /// - Returns: The verdict.
  /// - Throws: ``Unreadable`` if the files differ and one of them is damaged, not a JPEG file, or exceeds a limit.
  public func verify(original: [UInt8], result: [UInt8]) throws(Unreadable) -> Verdict {
    if original == result { return identical(original) }
    let old = try header(original, .original)
    let new = try header(result, .result)
    guard new.container.isComplete || !old.container.isComplete else {
      throw Unreadable(file: .result, error: .noEndOfImage(at: new.container.end))
    }
    let transform = old.transform.then(then)
    var options = Options()
    options.maxPixels = maxPixels
    let limits = DecodingLimits(options)
    var ledger = Ledger(original: original, result: result)
    var image = try ImageComparison(
      old: old,
      new: new,
      role: nil,
      transform: transform,
      limits: limits
    )
    .compare(&ledger)
    image.role = nil
    let made = image.transform
    if made != transform {
      ledger.note(
        "transformed-further",
        "the displayed image was transformed further: \(old.displayed(made)) "
          + "(--transform \(old.displayed(made).rawValue) expects that)"
      )
    }
    let thumbnails = ThumbnailComparison(old: old, new: new, transform: made, limits: limits)
      .compare(
        &ledger
      )
    SegmentComparison(old: old, new: new, transform: made, thumbnails: thumbnails).compare(&ledger)
    let others = try TrailerComparison(old: old, new: new, transform: made, limits: limits).compare(
      &ledger
    )
    IndexComparison(old: old, new: new).compare(others, &ledger)
    if !old.container.isComplete {
      ledger.note("no-end-of-image", "the original has no EOI marker")
    }
    if !old.credentialSegments(original.span).isEmpty,
      !new.credentialSegments(result.span).isEmpty
    {
      ledger.note("credentials-invalid", "the content credentials no longer match the file")
    }
    let images = [image] + thumbnails.compactMap { $0.image } + others
    if requiresLossless { findLosses(images, &ledger) }
    let misregistered = misregistered(old, new, made, image, ledger)
    for data in misregistered { report(data, &ledger) }
    var verdict = ledger.verdict(transform, images)
    verdict.misregistered = misregistered
    return verdict
  }

  /// Returns the registered data of the original that is also in the result, although the image was transformed.
  private func misregistered(
    _ old: Header,
    _ new: Header,
    _ made: OrientationTransform,
    _ image: Verdict.Image,
    _ ledger: Ledger
  ) -> [RegisteredData] {
    guard made != .none || image.relation == .trimmed else { return [] }
    let before = registered(old, made, ledger.original)
    let after = registered(new, made, ledger.result).map { $0.kind }
    return before.filter { $0.effect != .independent && after.contains($0.kind) }
  }

  private func registered(
    _ header: Header,
    _ made: OrientationTransform,
    _ bytes: [UInt8]
  ) -> [RegisteredData] {
    let photo = Photo(bytes, size: bytes.count, header)
    // All of the file is in memory, so nothing is missing.
    return (try? RegisteredDataSearch.find(in: photo, transform: made, isCropped: false)) ?? []
  }

  private func report(_ data: RegisteredData, _ ledger: inout Ledger) {
    let text = "the image was transformed, but not the data that refers to its pixels: \(data.name)"
    if data.effect == .stale {
      ledger.note(
        "registered-data",
        "kept, and shows the image as it was stored: \(data.name)",
        original: data.offset
      )
    } else if acceptsRegisteredData {
      ledger.note("registered-data", text, original: data.offset)
    } else {
      ledger.find("registered-data", text, original: data.offset)
    }
  }

  private func header(_ bytes: [UInt8], _ file: File) throws(Unreadable) -> Header {
    do throws(ContainerError) {
      let container = try Container(bytes.span)
      let header = try Header(container, bytes.span)
      guard header.frame.pixelCount <= maxPixels else {
        throw ContainerError(
          .limit,
          at: 0,
          "the image header gives more pixels than the limit of \(maxPixels)"
        )
      }
      return header
    } catch {
      throw Unreadable(file: file, error: UprightError(error))
    }
  }

  /// Records the images that were re-encoded or trimmed as findings.
  private func findLosses(_ images: [Verdict.Image], _ ledger: inout Ledger) {
    for image in images where image.relation == .reencoded || image.relation == .trimmed {
      ledger.find(
        "not-lossless",
        (image.role.map { "the \($0.rawValue)" } ?? "the image")
          + (image.relation == .trimmed ? " lost partial MCUs" : " was partly re-encoded")
          + ", which --lossless does not allow",
        original: image.original.lowerBound,
        result: image.result.lowerBound
      )
    }
  }

  /// Returns the verdict on identical files, which need not be readable.
  private func identical(_ bytes: [UInt8]) -> Verdict {
    var ledger = Ledger(original: bytes, result: bytes)
    var (transform, range, isUpright) = (then, bytes.indices, false)
    do throws(Unreadable) {
      let header = try header(bytes, .original)
      guard header.container.isComplete else {
        throw Unreadable(file: .original, error: .noEndOfImage(at: header.container.end))
      }
      transform = header.transform.then(then)
      range = header.container.segments[0].range.lowerBound..<header.container.end
      switch header.orientation {
      case .absent: isUpright = header.exifProblem == nil
      case .value, .unknown: isUpright = transform == .none
      case .reserved, .unclear: break
      }
    } catch {
      ledger.note("unreadable", "neither file can be read: \(error.error)")
    }
    if transform != .none {
      ledger.find(
        "not-transformed",
        "both files are identical; expected: \(transform)"
      )
    }
    var verdict = ledger.verdict(
      transform,
      [
        Verdict.Image(
          role: nil,
          original: range,
          result: range,
          transform: .none,
          relation: .identical,
          components: [],
          coefficients: 0
        )
      ]
    )
    verdict.isAlreadyUpright = isUpright
    return verdict
  }
}

extension Verifier.Unreadable: CustomStringConvertible {
  /// Which file cannot be read, and why.
  public var description: String { "the \(file.rawValue) cannot be read: \(error)" }
}
