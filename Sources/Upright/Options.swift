package import JPEGCore

/// What a normalization does where there is a choice.
public struct Options: Hashable, Sendable {
  /// What happens to an image whose edge is not a whole number of MCUs where the transform needs it.
  ///
  /// Source: specification, section 3.
  public enum UnalignedPolicy: String, CaseIterable, Sendable {
    /// The components that it hits are re-encoded, as closely as the quality asks for; nothing is cut off.
    case redraw
    /// The partial MCUs are cut off: up to 15, with 4:1:1 up to 31, columns or rows are lost.
    case trim
    /// The file is skipped.
    case skip
    /// The file is reported as failed.
    case fail
  }

  /// What happens to an image that seems to be upright already, against its tag.
  ///
  /// Source: specification, section 6.
  public enum ConflictPolicy: String, CaseIterable, Sendable {
    /// The file is skipped.
    case skip
    /// The image is transformed as the tag says.
    case trustTag = "trust-tag"
    /// The image stays as it is, Orientation becomes 1.
    case resetTag = "reset-tag"
  }

  /// What happens to resolutions that differ by axis when the axes are swapped.
  public enum ResolutionPolicy: String, CaseIterable, Sendable {
    /// They are copied like every other field.
    case keep
    /// X and Y are swapped.
    case follow
  }

  /// What happens to face and subject regions, which describe the raster as it is stored.
  ///
  /// Source: specification, section 4.
  public enum RegionPolicy: String, CaseIterable, Sendable {
    /// They are copied like every other field, and reported.
    case keep
    /// They are transformed with the image.
    case follow
  }

  /// What happens to a file with C2PA content credentials, which any change of the file makes invalid.
  ///
  /// Source: specification, section 5.
  public enum CredentialPolicy: String, CaseIterable, Sendable {
    /// The file is skipped.
    case skip
    /// The file is rewritten; the credentials are copied and no longer match it.
    case keep
    /// The file is rewritten without its credentials.
    case strip
  }

  /// How closely an image is re-encoded whose edge is not a whole number of MCUs.
  public enum RedrawQuality: String, CaseIterable, Sendable {
    /// With the noise of a quarter of the original's quantization steps.
    case standard
    /// With the noise of half of them, for about three quarters of the size.
    case compact
    /// With quantization steps of 1, for two to four times the size.
    case max
  }

  /// How a result is checked before it is given out.
  public enum VerificationPolicy: String, CaseIterable, Sendable {
    /// The original is restored from it and compared, byte for byte.
    case restore
    /// TurboJPEG's lossless transform of the original is compared with it, coefficient by coefficient. What
    /// TurboJPEG cannot judge, such as a redraw, is restored and compared.
    case reference
    /// Not at all.
    case none
  }

  /// What to do about unaligned edges; `.redraw` by default.
  public var unaligned = UnalignedPolicy.redraw
  /// How closely to redraw; `.standard` by default.
  public var redrawQuality = RedrawQuality.standard
  /// What to do about a tag that seems to be stale; `.skip` by default.
  public var onConflict = ConflictPolicy.skip
  /// What to do about resolutions that differ by axis; `.keep` by default.
  public var resolution = ResolutionPolicy.keep
  /// What to do about regions; `.keep` by default.
  public var regions = RegionPolicy.keep
  /// What to do about content credentials; `.skip` by default.
  public var contentCredentials = CredentialPolicy.skip
  /// How a result is checked before it is given out; `.restore` by default.
  public var verification = VerificationPolicy.restore
  /// Whether a checked result comes with its undo record, where there can be one; true by default.
  ///
  /// The check by restoring makes it on the way; beside the check by reference it costs as much again.
  public var makesUndo = true
  /// Whether images that are already upright are decoded all the same, so that damage is found; false by default.
  public var checksUnchanged = false
  /// Whether a file is skipped whose identical restoration cannot be promised; false by default.
  ///
  /// Only a result that is checked has a promise.
  public var requiresUndo = false
  /// Whether files with Orientation 0 are skipped; by default 0 is taken for "unknown" and treated as 1.
  public var strictOrientation = false
  /// The most pixels that an image may claim to have; 2^29, half a gigapixel, by default.
  ///
  /// A photograph takes up to 9 bytes a pixel; more where one pixel takes many bits.
  public var maxPixels = 1 << 29
  /// The most scans that an image may have; 100 by default, where progressive images have about ten.
  public var maxScans = 100
  /// The most blocks that decoding may visit, each scan visiting all of them; 200 million by default, which
  /// takes a few seconds.
  public var maxBlockVisits = 200_000_000
  /// The most memory in bytes that the work on a file may be estimated to take; no limit by default.
  public var maxMemory: Int?
  /// The most bytes that a file may have that is read whole; no limit by default.
  public var maxBytes: Int?
  /// How long the work on a file may take; no limit by default.
  ///
  /// It is looked at between the stages of the work and at every row of blocks, but for the entropy decoding
  /// of an image: ``maxBlockVisits`` bounds that.
  public var timeLimit: Duration?

  /// The defaults.
  public init() {}
}

extension Options {
  /// Refuses a file of more bytes than ``maxBytes``.
  ///
  /// - Parameter size: The file's size in bytes.
  /// - Throws: ``UprightError`` of code `limit`.
  package func checkSize(_ size: Int) throws(UprightError) {
    if let maxBytes, size > maxBytes {
      throw .tooManyBytes("the file has \(size) bytes", limit: maxBytes)
    }
  }

  /// Does work that ends where it is cancelled or ``timeLimit`` is over.
  ///
  /// - Parameters:
  ///   - threads: What runs independent pieces of the work; the calling thread unless given.
  ///   - cancellation: What cancels the work, besides its task; nil for nothing.
  ///   - work: The work; it is not looked at what it returned or threw once it was stopped.
  /// - Returns: What the work returned.
  /// - Throws: ``UprightError`` of code `cancelled` or `time-limit`, or what the work threw.
  package func limited<Value>(
    on threads: WorkLimit.Threads? = nil,
    by cancellation: WorkLimit.Cancellation? = nil,
    _ work: () throws(UprightError) -> Value
  ) throws(UprightError) -> Value {
    try WorkLimit.observing(for: timeLimit, on: threads, by: cancellation) {
      () throws(UprightError) in
      let result = Result { () throws(UprightError) in try work() }
      // Whatever was stopped early has no value and no say.
      if let limit = WorkLimit.reached { throw UprightError(limit) }
      return try result.get()
    }.get()
  }
}

extension UprightError {
  /// The error of a file that is not read, for it is too large.
  ///
  /// - Parameters:
  ///   - words: How large it is, in words.
  ///   - limit: The most bytes that it may have.
  /// - Returns: The error, of code `limit`.
  package static func tooManyBytes(_ words: String, limit: Int) -> UprightError {
    UprightError(.limit, "\(words), more than the limit of \(limit) (--max-bytes)")
  }
}
