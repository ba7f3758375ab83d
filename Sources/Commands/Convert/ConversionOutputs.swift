internal import Archive
internal import Synchronization
internal import SystemPackage

/// The names of converted files: that of the source, ending in `.jpg`.
final class ConversionOutputs: Sendable {
  private let tree: OutputTree?
  /// The outputs of this run by their sources, so that `A.HEIC` and `A.heif` do not become one file.
  private let taken = Mutex<[FilePath: FilePath]>([:])

  /// - Parameter tree: Where the outputs go; beside their sources by default.
  init(_ tree: OutputTree?) { self.tree = tree }

  /// The output of a file.
  ///
  /// - Throws: ``FileError`` `output-collision`, where another file of this run has it.
  func output(for path: FilePath, root: FilePath) throws(FileError) -> FilePath {
    var output = try tree?.output(for: path, root: root) ?? path
    output.extension = "jpg"
    let rival = taken.withLock { taken -> FilePath? in
      guard let first = taken[output] else {
        taken[output] = path
        return nil
      }
      return first
    }
    if let rival, rival != path { throw .collision(path) }
    return output
  }
}
