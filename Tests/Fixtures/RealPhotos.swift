import Foundation

/// The real photos that some tests use besides the fixtures.
package enum RealPhotos {
  /// The folder that the environment variable `UPRIGHT_CORPUS` names, or nil if it is missing or empty.
  package static let folder: String? = {
    let folder = ProcessInfo.processInfo.environment["UPRIGHT_CORPUS"]
    return folder?.isEmpty == true ? nil : folder
  }()
}
