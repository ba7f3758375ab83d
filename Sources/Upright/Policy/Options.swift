package import JPEGCore

/// The policies and limits of a normalization.
public struct Options: Hashable, Sendable {
  /// The policy for images whose partial MCUs a transform would move to the left or the top edge.
  ///
  /// Source: specification, section 3.
  public enum UnalignedPolicy: String, CaseIterable, Sendable {
    /// The affected components are re-encoded with the redraw quality. Nothing is cut off.
    case redraw
    /// The partial MCUs are cut off: up to 15 columns or rows are lost, with 4:1:1 up to 31.
    case trim
    /// The file is skipped.
    case skip
    /// The file fails with an error.
    case fail
  }

  /// The policy for images with a suspected stale Orientation tag.
  ///
  /// Source: specification, section 6.
  public enum ConflictPolicy: String, CaseIterable, Sendable {
    /// The file is skipped.
    case skip
    /// The image is transformed as the tag says.
    case trustTag = "trust-tag"
    /// The image is kept and Orientation is set to 1.
    case resetTag = "reset-tag"
  }

  /// The policy for X and Y resolutions that differ, if the transform swaps the axes.
  public enum ResolutionPolicy: String, CaseIterable, Sendable {
    /// They are copied unchanged.
    case keep
    /// X and Y are swapped.
    case follow
  }

  /// The policy for face and subject regions.
  ///
  /// Source: specification, section 4.
  public enum RegionPolicy: String, CaseIterable, Sendable {
    /// Regions in XMP are transformed with the image if the file shows that they refer to the stored image;
    /// ``RegionDecision`` gives the evidence. SubjectArea and SubjectLocation are copied unchanged, with a note.
    case auto
    /// They are copied unchanged, with a note.
    case keep
    /// They are all taken to refer to the stored image and transformed with it.
    case follow
  }

  /// The policy for files with C2PA content credentials, which any change makes invalid.
  ///
  /// Source: specification, section 5.
  public enum CredentialPolicy: String, CaseIterable, Sendable {
    /// The file is skipped.
    case skip
    /// The file is rewritten with its credentials, which are then invalid.
    case keep
    /// The file is rewritten without its credentials.
    case strip
  }

  /// The policy for files with data that would no longer fit the transformed image, such as a thermal matrix.
  public enum RegisteredDataPolicy: String, CaseIterable, Sendable {
    /// The file is skipped.
    case skip
    /// The image is transformed and the data is kept, with a note.
    case keep
  }

  /// The quality with which components are re-encoded.
  public enum RedrawQuality: String, CaseIterable, Sendable {
    /// The quantization noise is that of a quarter of the original's quantization steps.
    case standard
    /// The quantization noise is that of half of the steps; about three quarters of the size of ``standard``.
    case compact
    /// All quantization steps are 1; about one and a half times the size of ``standard``.
    case max
  }

  /// The check of a result before it is returned.
  public enum VerificationPolicy: String, CaseIterable, Sendable {
    /// The original is restored from the result and compared, byte for byte.
    case restore
    /// The result is compared with TurboJPEG's lossless transform of the original, coefficient by coefficient. Results
    /// that TurboJPEG cannot check, such as re-encoded ones, are checked as with ``restore``.
    case reference
    /// The result is not checked.
    case none
  }

  /// The policy for partial MCUs; `.redraw` by default.
  public var unaligned = UnalignedPolicy.redraw
  /// The quality of re-encoded components; `.standard` by default.
  public var redrawQuality = RedrawQuality.standard
  /// The policy for suspected stale Orientation tags; `.skip` by default.
  public var onConflict = ConflictPolicy.skip
  /// The policy for X and Y resolutions that differ; `.keep` by default.
  public var resolution = ResolutionPolicy.keep
  /// The policy for face and subject regions; `.auto` by default.
  public var regions = RegionPolicy.auto
  /// The policy for content credentials; `.skip` by default.
  public var contentCredentials = CredentialPolicy.skip
  /// The policy for data that would no longer fit the transformed image; `.skip` by default.
  public var registeredData = RegisteredDataPolicy.skip
  /// The check of a result before it is returned; `.restore` by default.
  public var verification = VerificationPolicy.restore
  /// Whether a checked result has an undo record, if possible; true by default.
  ///
  /// The check ``VerificationPolicy/restore`` produces it without extra cost. With ``VerificationPolicy/reference`` it
  /// doubles the cost of the check.
  public var makesUndo = true
  /// Whether images that are already upright are decoded too, to find damage; false by default.
  public var checksUnchanged = false
  /// Whether a file is skipped if its original could not be restored byte for byte; false by default.
  ///
  /// This requires that results are checked.
  public var requiresUndo = false
  /// Whether files with Orientation 0 are skipped.
  ///
  /// By default, 0 means "unknown" and is treated as 1.
  public var strictOrientation = false
  /// Whether an Orientation of 0 or above 8, which has no meaning, counts as 1 and is set to 1; false by default.
  ///
  /// Source: specification, section 2.
  public var resetsInvalid = false
  /// The maximum number of pixels of an image, as its header gives it; 2^29, half a gigapixel, by default.
  ///
  /// A photo needs up to 8 bytes of memory per pixel with 4:2:0 and 14 with 4:4:4, plus four times the size of its file.
  public var maxPixels = 1 << 29
  /// The maximum number of scans of an image; 100 by default.
  ///
  /// Progressive images have about ten.
  public var maxScans = 100
  /// The maximum number of blocks, summed over all scans, that decoding may visit; 200 million by default,
  /// which take a few seconds.
  public var maxBlockVisits = 200_000_000
  /// The maximum estimate of memory for a file, in bytes; no limit by default.
  public var maxMemory: Int?
  /// The maximum size in bytes of a file that is read completely; no limit by default.
  public var maxBytes: Int?
  /// The maximum duration of the work on a file; no limit by default.
  ///
  /// It is checked between stages and at every row of MCUs or blocks, but not while TurboJPEG decodes an image that only it
  /// can read; ``maxBlockVisits`` bounds that work.
  public var timeLimit: Duration?

  /// Creates the default options.
  public init() {}
}

extension Options {
  /// Returns why a file with an image that would have to be re-encoded is skipped; nil if it is re-encoded.
  func refusalToReencode(_ role: EmbeddedImage.Role) throws(UprightError) -> Reason? {
    let reason = Reason.unalignedEdge(role)
    switch unaligned {
    case .redraw, .trim: return nil
    case .skip: return reason
    case .fail: throw UprightError(.unalignedEdge, reason)
    }
  }

  /// Throws if a file has more bytes than ``maxBytes``.
  package func checkSize(_ size: Int) throws(UprightError) {
    if let maxBytes, size > maxBytes {
      throw .tooManyBytes("the file has \(size) bytes", limit: maxBytes)
    }
  }

  /// Runs `work` until it ends, is cancelled, or exceeds ``timeLimit``.
  package func limited<Value>(
    on threads: WorkLimit.Threads? = nil,
    by cancellation: WorkLimit.Cancellation? = nil,
    _ work: () throws(UprightError) -> Value
  ) throws(UprightError) -> Value {
    try WorkLimit.observing(for: timeLimit, on: threads, by: cancellation) {
      () throws(UprightError) in
      let result = Result { () throws(UprightError) in try work() }
      // The result or error of stopped work is meaningless.
      if let limit = WorkLimit.reached { throw UprightError(limit) }
      return try result.get()
    }.get()
  }
}

extension UprightError {
  /// Returns the error of a file that is too large to be read.
  package static func tooManyBytes(_ words: String, limit: Int) -> UprightError {
    UprightError(
      .limit,
      "\(words), more than the limit of \(limit)",
      remedies: [.limit("max-bytes")]
    )
  }

  /// Creates the error of a file that is skipped under another policy.
  init(_ code: Code, _ reason: Reason) {
    self.init(code, reason.cause, remedies: reason.remedies)
  }
}
