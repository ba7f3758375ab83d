internal import FileSystem
internal import Upright

/// Why a record could not be written, read or used.
public struct RecordError: Error, Hashable, Sendable {
  /// What kind of failure it is; more kinds may come.
  ///
  /// Failures of files and of undo data have the identifiers that `docs/output.md` lists, such as `not-found`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// The code with this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A line breaks off, as when a run was killed while it wrote the line.
    public static let cut = Code(rawValue: "record-cut")
    /// A line was changed, or is no record.
    public static let damaged = Code(rawValue: "record-damaged")
    /// A line has paths that no rewrite leaves in a record.
    public static let unusablePath = Code(rawValue: "record-path")
    /// A line is of a version that is not known.
    public static let unknownVersion = Code(rawValue: "record-version")
    /// The file is not the one that the record was made for, or was changed, or what came back is not the original.
    public static let verification = Code(rawValue: "verification")
    /// The record has no undo data.
    public static let noUndoData = Code(rawValue: "no-undo-data")
    /// The file of records was changed while it was read.
    public static let changed = Code(rawValue: "changed")
    /// There is no such file.
    public static let notFound = Code(rawValue: "not-found")
    /// The file exists, and is not a file of records.
    public static let notRecord = Code(rawValue: "not-record")
    /// The disk is full, or the quota is used up.
    public static let noSpace = Code(rawValue: "no-space")
  }

  /// What kind of failure it is.
  public var code: Code
  /// What happened, in words for people.
  public var message: String

  /// Makes an error from its parts.
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
    case .cut: self.init(.cut, "the line breaks off")
    case .damaged: self.init(.damaged, "the line is damaged, or is no record")
    case .unusablePath:
      self.init(.unusablePath, "the line has paths that no rewrite leaves in a record")
    case .unknownVersion(let version):
      self.init(.unknownVersion, "the line is of the version \(version), which is not known")
    }
  }
}
