internal import FileSystem
internal import Upright

/// The error of writing, reading or using a record.
public struct RecordError: Error, Hashable, Sendable {
  /// The kind of an error; more kinds may be added.
  ///
  /// Errors of files and of undo data have the identifiers that `docs/identifiers.md` lists, such as `not-found`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates a code from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A line is incomplete, for example because a run was killed while it wrote the line.
    public static let cut = Code(rawValue: "record-cut")
    /// A line was changed, or is not a record.
    public static let damaged = Code(rawValue: "record-damaged")
    /// A line has paths that are not valid in a record.
    public static let unusablePath = Code(rawValue: "record-path")
    /// A line has an unknown version.
    public static let unknownVersion = Code(rawValue: "record-version")
    /// The file is not the one that the record was made for, was changed, or was not restored to the original.
    public static let verification = Code(rawValue: "verification")
    /// The record has no undo data.
    public static let noUndoData = Code(rawValue: "no-undo-data")
    /// The record file changed while it was read.
    public static let changed = Code(rawValue: "changed")
    /// The file does not exist.
    public static let notFound = Code(rawValue: "not-found")
    /// The file exists and is not a record file.
    public static let notRecord = Code(rawValue: "not-record")
    /// The disk is full, or the quota is exceeded.
    public static let noSpace = Code(rawValue: "no-space")
  }

  /// The kind of the error.
  public var code: Code
  /// What happened, as text.
  public var message: String

  /// Creates an error from its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension RecordError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension RecordError {
  init(_ error: FileError) { self.init(Code(rawValue: error.identifier), "\(error)") }

  init(_ error: UprightError) { self.init(Code(rawValue: error.code.rawValue), "\(error)") }

  init(_ problem: RecordLine.Problem) {
    switch problem {
    case .cut: self.init(.cut, "the line is incomplete")
    case .damaged: self.init(.damaged, "the line is damaged or is not a record")
    case .unusablePath:
      self.init(.unusablePath, "the line has invalid paths")
    case .unknownVersion(let version):
      self.init(.unknownVersion, "the line has the unknown version \(version)")
    case .formerVersion:
      self.init(.unknownVersion, "the line is one of Upright 0.2.0, which alone can use it")
    }
  }
}
