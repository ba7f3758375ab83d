/// Why a file could not be worked on.
///
/// A file that is skipped on purpose is not an error; see ``Action/skip(_:)``.
public struct UprightError: Error, Hashable, Sendable {
  /// What kind of failure it is; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier that machine output carries.
    public var rawValue: String

    /// The code with this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is not a single byte.
    public static let empty = Code(rawValue: "empty")
    /// The bytes do not begin like a JPEG file.
    public static let notJPEG = Code(rawValue: "not-jpeg")
    /// The bytes do not begin like a HEIF file.
    public static let notHEIF = Code(rawValue: "not-heif")
    /// A coding or a feature that the decoder does not know.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The bytes end before the image does.
    public static let truncated = Code(rawValue: "truncated")
    /// The structure contradicts the standard.
    public static let malformed = Code(rawValue: "malformed")
    /// Entropy-coded data is damaged: a decoder would have to invent pixels.
    public static let damagedScan = Code(rawValue: "damaged-scan")
    /// The file asks for more than a limit allows.
    public static let limit = Code(rawValue: "limit")
    /// The work took longer than the options allow.
    public static let timeLimit = Code(rawValue: "time-limit")
    /// The task that the work belongs to was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// There was not enough memory.
    public static let outOfMemory = Code(rawValue: "out-of-memory")
    /// A rectangle to crop to does not lie within the image.
    public static let outsideImage = Code(rawValue: "outside-image")
    /// A rectangle to crop to holds no block that could be kept as it is.
    public static let emptyCrop = Code(rawValue: "empty-crop")
    /// An edge is not aligned, and the options ask for failure.
    public static let unalignedEdge = Code(rawValue: "unaligned-edge")
    /// The result did not agree with the original; nothing of it is used.
    public static let verification = Code(rawValue: "verification")
  }

  /// What kind of failure it is.
  public var code: Code
  /// The offset in the file where it was noticed.
  public var offset: Int?
  /// What happened, in words for people.
  public var message: String

  /// Makes an error from its parts.
  public init(_ code: Code, at offset: Int? = nil, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}

extension UprightError {
  /// Whose fault a failure is: so a server knows whether its client or itself has to do something about it.
  public enum Cause: Hashable, Sendable {
    /// The file's: it is no JPEG file, it is damaged, or it asks for more than the limits allow. Another try
    /// ends like the first.
    case file
    /// Of those who do the work: time or memory ran out, the task was cancelled, or a result was found wrong.
    case work
  }

  /// Whose fault it is; ``Fault/work`` for codes that are not known.
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
