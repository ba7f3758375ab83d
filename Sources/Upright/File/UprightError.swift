/// An error that prevented the work on a file.
///
/// A skipped file is not an error; see ``Action/skip(_:)``.
public struct UprightError: Error, Hashable, Sendable {
  /// The identifier of an error.
  ///
  /// More may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier in machine output.
    public var rawValue: String

    /// Creates a code from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ known: Known) { rawValue = known.rawValue }

    /// The file is empty.
    public static let empty = Code(.empty)
    /// The file is not a JPEG file.
    public static let notJPEG = Code(.notJPEG)
    /// The file is not a HEIF file.
    public static let notHEIF = Code(.notHEIF)
    /// The decoder does not support a coding or a feature.
    public static let unsupported = Code(.unsupported)
    /// The file ends before the end of the image.
    public static let truncated = Code(.truncated)
    /// The structure violates the standard.
    public static let malformed = Code(.malformed)
    /// The entropy-coded data is damaged.
    public static let damagedScan = Code(.damagedScan)
    /// The file exceeds a limit.
    public static let limit = Code(.limit)
    /// The work took longer than ``Options/timeLimit``.
    public static let timeLimit = Code(.timeLimit)
    /// The task was cancelled.
    public static let cancelled = Code(.cancelled)
    /// There was not enough memory.
    public static let outOfMemory = Code(.outOfMemory)
    /// The crop rectangle is not within the image.
    public static let outsideImage = Code(.outsideImage)
    /// The crop rectangle contains no whole MCU.
    public static let emptyCrop = Code(.emptyCrop)
    /// A lossless transform would cut off partial MCUs, and the policy is ``Options/UnalignedPolicy/fail``.
    public static let unalignedEdge = Code(.unalignedEdge)
    /// A decoder of another library failed at the file.
    package static let decoderFailed = Code(.decoderFailed)
    /// The result did not match the original and was discarded.
    public static let verification = Code(.verification)
  }

  /// The identifier.
  public var code: Code
  /// The offset in the file where the problem was found, if known.
  public var offset: Int?
  /// The message for people.
  public var message: String
  /// What prevents the error.
  public var remedies: [Remedy]

  /// Creates an error from its parts.
  public init(_ code: Code, at offset: Int? = nil, _ message: String, remedies: [Remedy] = []) {
    self.code = code
    self.offset = offset
    self.message = message
    self.remedies = remedies
  }
}

extension UprightError {
  /// What caused an error: the file, the request, or the work.
  ///
  /// Servers distinguish client and server errors by it.
  public enum Cause: Hashable, Sendable {
    /// The file: it has another format, is damaged, or exceeds a limit. A retry fails again.
    case file
    /// The request: this file cannot be changed so, but it can be otherwise.
    case request
    /// The work: a lack of time or memory, a cancellation, or a result that failed verification.
    case work
  }

  /// The cause of the error; ``Cause/work`` for codes that the library does not declare.
  public var cause: Cause { Code.Known(rawValue: code.rawValue)?.cause ?? .work }
}

extension UprightError.Code {
  /// The codes that the library declares: without a cause, a code does not compile.
  package enum Known: String, CaseIterable, Sendable {
    case empty
    case notJPEG = "not-jpeg"
    case notHEIF = "not-heif"
    case unsupported
    case truncated
    case malformed
    case damagedScan = "damaged-scan"
    case limit
    case timeLimit = "time-limit"
    case cancelled
    case outOfMemory = "out-of-memory"
    case outsideImage = "outside-image"
    case emptyCrop = "empty-crop"
    case unalignedEdge = "unaligned-edge"
    case decoderFailed = "decoder-failed"
    case verification

    /// The cause of errors with this code.
    var cause: UprightError.Cause {
      switch self {
      case .empty, .notJPEG, .notHEIF, .unsupported, .truncated, .malformed, .damagedScan, .limit,
        .decoderFailed:
        .file
      case .outsideImage, .emptyCrop, .unalignedEdge: .request
      case .timeLimit, .cancelled, .outOfMemory, .verification: .work
      }
    }
  }
}

extension UprightError: CustomStringConvertible {
  /// The message with the offset.
  public var description: String {
    guard let offset, offset > 0 else { return message }
    return "\(message) (at byte \(offset))"
  }
}
