/// The version of the package.
package enum Version {
  /// The version, as the command and the C library give it.
  package static let current = "0.2.0"
}
