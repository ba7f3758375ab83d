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

    /// The file is empty.
    public static let empty = Code(rawValue: "empty")
    /// The file is not a JPEG file.
    public static let notJPEG = Code(rawValue: "not-jpeg")
    /// The file is not a HEIF file.
    public static let notHEIF = Code(rawValue: "not-heif")
    /// The decoder does not support a coding or a feature.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The file ends before the end of the image.
    public static let truncated = Code(rawValue: "truncated")
    /// The structure violates the standard.
    public static let malformed = Code(rawValue: "malformed")
    /// The entropy-coded data is damaged.
    public static let damagedScan = Code(rawValue: "damaged-scan")
    /// The file exceeds a limit.
    public static let limit = Code(rawValue: "limit")
    /// The work took longer than ``Options/timeLimit``.
    public static let timeLimit = Code(rawValue: "time-limit")
    /// The task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// There was not enough memory.
    public static let outOfMemory = Code(rawValue: "out-of-memory")
    /// The crop rectangle is not within the image.
    public static let outsideImage = Code(rawValue: "outside-image")
    /// The crop rectangle contains no whole MCU.
    public static let emptyCrop = Code(rawValue: "empty-crop")
    /// A lossless transform would cut off partial MCUs, and the policy is ``Options/UnalignedPolicy/fail``.
    public static let unalignedEdge = Code(rawValue: "unaligned-edge")
    /// The result did not match the original and was discarded.
    public static let verification = Code(rawValue: "verification")
  }

  /// The identifier.
  public var code: Code
  /// The offset in the file where the problem was found, if known.
  public var offset: Int?
  /// The message for people.
  public var message: String

  /// Creates an error from its parts.
  public init(_ code: Code, at offset: Int? = nil, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}

extension UprightError {
  /// What caused an error: the file, or the work on it.
  ///
  /// Servers distinguish client and server errors by it.
  public enum Cause: Hashable, Sendable {
    /// The file: it is not a JPEG file, is damaged, or exceeds a limit. A retry fails again.
    case file
    /// The work: a lack of time or memory, a cancellation, or a result that failed verification.
    case work
  }

  /// The cause of the error; ``Cause/work`` for unknown codes.
  public var cause: Cause {
    switch code {
    case .empty, .notJPEG, .truncated, .malformed, .damagedScan, .limit, .unalignedEdge: .file
    default: .work
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
