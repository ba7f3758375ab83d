package import Upright

/// Why a file could not be processed: a failure of the file or of the file system.
package struct FileFailure: Sendable {
  /// The identifier.
  package var identifier: String
  /// The byte in the file, where it is known.
  package var offset: Int?
  /// The text for people.
  package var message: String
  /// What prevents the failure.
  package var remedies: [Remedy] = []

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
