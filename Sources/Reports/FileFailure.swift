public import Upright

/// Why a file could not be processed: a failure of the file or of the file system.
public struct FileFailure: Sendable {
  /// The identifier, as listed in `docs/identifiers.md`.
  public var identifier: String
  /// The byte in the file, where it is known.
  public var offset: Int?
  /// The text for people.
  public var message: String
  /// What prevents the failure.
  public var remedies: [Remedy] = []

  /// Creates a failure from its parts.
  package init(identifier: String, message: String, remedies: [Remedy] = []) {
    self.identifier = identifier
    self.message = message
    self.remedies = remedies
  }

  /// Creates the failure of an error of the library.
  package init(_ error: UprightError) {
    identifier = error.code.rawValue
    offset = error.offset
    message = error.description
    remedies = error.remedies
  }
}
