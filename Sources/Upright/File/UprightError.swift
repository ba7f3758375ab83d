/// An error that prevented the work on a file: the only type of error that all modules throw and give.
///
/// Modules that work with records and files declare codes of their own. A skipped file is not an error; see
/// ``Action/skip(_:)``.
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
    /// The file has the name of another format, and is of none that is known.
    package static let notImage = Code(.notImage)
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
    /// A call by name has no option of that name.
    package static let unknownOption = Code(.unknownOption)
    /// An option that is given by its name does not have that value.
    public static let unknownValue = Code(.unknownValue)
    /// Another argument of a call by name is invalid.
    package static let argument = Code(.argument)
  }

  /// One of two files that are compared.
  public enum File: String, CaseIterable, Sendable {
    /// The original.
    case original
    /// The file to check.
    case result
  }

  /// What caused an error: the file, the request, or the work.
  ///
  /// Servers distinguish client and server errors by it.
  public enum Cause: Hashable, Sendable {
    /// The file: it has another format, is damaged, exceeds a limit, or cannot be opened or replaced as it is. A retry fails
    /// again.
    case file
    /// The request: this file cannot be changed so, but it can be otherwise.
    case request
    /// The work: a lack of time, memory or space, a cancellation, another program, or a result that failed verification.
    case work
  }

  /// The identifier.
  public var code: Code
  /// The cause; ``Cause/work`` for codes that the library does not declare.
  public let cause: Cause
  /// Which of two compared files it is about; nil outside of comparisons.
  public var file: File?
  /// The offset in the file where the problem was found, if known.
  public var offset: Int?
  /// The message for people.
  public var message: String
  /// What prevents the error.
  public var remedies: [Remedy]
  /// The end of the text, with the options that carry the remedies out.
  package var advice = ""

  /// Creates an error from its parts.
  public init(_ code: Code, at offset: Int? = nil, _ message: String, remedies: [Remedy] = []) {
    let cause = Code.Known(rawValue: code.rawValue)?.cause ?? .work
    self.init(code, cause, at: offset, message, remedies: remedies)
  }

  /// Creates an error of a code that another module declares.
  package init(
    _ code: Code,
    _ cause: Cause,
    at offset: Int? = nil,
    _ message: String,
    remedies: [Remedy] = []
  ) {
    (self.code, self.cause) = (code, cause)
    self.offset = offset
    self.message = message
    self.remedies = remedies
  }
}

extension UprightError {
  /// Returns the error as that of one of two compared files.
  package func of(_ file: File) -> UprightError {
    var error = self
    error.file = file
    return error
  }
}

extension UprightError.Code {
  /// The codes that the library declares: without a cause, a code does not compile.
  package enum Known: String, CaseIterable, Sendable {
    case notImage = "not-image"
    case empty
    case notJPEG = "not-jpeg"
    case notHEIF = "not-heif"
    case unsupported
    case truncated
    case malformed
    case damagedScan = "damaged-scan"
    case limit
    case unalignedEdge = "unaligned-edge"
    case outsideImage = "outside-image"
    case emptyCrop = "empty-crop"
    case verification
    case outOfMemory = "out-of-memory"
    case cancelled
    case timeLimit = "time-limit"
    case decoderFailed = "decoder-failed"
    case unknownOption = "unknown-option"
    case unknownValue = "unknown-value"
    case argument

    /// The cause of errors with this code.
    var cause: UprightError.Cause {
      switch self {
      case .notImage, .empty, .notJPEG, .notHEIF, .unsupported, .truncated, .malformed,
        .damagedScan, .limit, .decoderFailed:
        .file
      case .outsideImage, .emptyCrop, .unalignedEdge, .unknownOption, .unknownValue, .argument:
        .request
      case .timeLimit, .cancelled, .outOfMemory, .verification: .work
      }
    }
  }
}

extension UprightError: CustomStringConvertible {
  /// The message with the offset and, in a comparison, with the file.
  public var description: String {
    (file.map { "the \($0.rawValue) cannot be read: " } ?? "") + text
  }

  /// The message with the offset, without the file.
  package var text: String {
    guard let offset, offset > 0 else { return message + advice }
    return "\(message) (at byte \(offset))\(advice)"
  }
}
