package import Foundation

/// The real photos that some tests use besides the fixtures.
package enum RealPhotos {
  /// The folder that the environment variable `UPRIGHT_CORPUS` names, or nil if it is missing or empty.
  package static let folder: String? = {
    let folder = ProcessInfo.processInfo.environment["UPRIGHT_CORPUS"]
    return folder?.isEmpty == true ? nil : folder
  }()

  /// Returns the JPEG files to try in one of several runs over all of them: by day a third, others in each run.
  package static func jpegs(run: Int) -> [URL] { Effort.part(all, of: run) }

  private static let all: [URL] = {
    guard let folder else { return [] }
    let root = URL(filePath: folder, directoryHint: .isDirectory)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? [])
      .filter { ["jpg", "jpeg"].contains($0.pathExtension.lowercased()) && !$0.hasDirectoryPath }
      .sorted { $0.path < $1.path }
  }()
}
