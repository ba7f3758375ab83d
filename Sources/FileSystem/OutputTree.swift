internal import ImageFormats
package import SystemPackage

/// The output paths in a separate directory: a mirror of the files below the roots.
///
/// A root's own name is not repeated: with the root `photos`, `photos/2020/a.jpg` becomes `2020/a.jpg`, and for a
/// root that is a file only its name is kept.
package struct OutputTree: Sendable {
  /// The directory of the outputs.
  package let directory: FilePath
  private let names: NameRule
  private let takes: @Sendable (FilePath) -> Bool
  private var namedFiles: [FilePath.Component: [FilePath]] = [:]
  private var directories: [FilePath] = []

  /// Creates a mirror below `directory`.
  ///
  /// - Parameters:
  ///   - directory: The directory of the outputs, which need not exist.
  ///   - roots: All roots of the walk; the walk reports those that cannot be read.
  ///   - names: The rule for the files of the walk.
  ///   - takes: Whether a file that a walk takes by its content is taken.
  package init(
    directory: FilePath,
    roots: [FilePath],
    names: NameRule = NameRule(),
    takes: @escaping @Sendable (FilePath) -> Bool = { FileReader.mayBeJPEG(at: $0) }
  ) {
    self.directory = directory
    self.names = names
    self.takes = takes
    for root in roots {
      switch root.status?.kind {
      case .directory: directories.append(root)
      case .regular: if let name = root.lastComponent { namedFiles[name, default: []].append(root) }
      default: break
      }
    }
  }

  /// Returns the output of a file that the walk found.
  ///
  /// No state is kept: whether another root has a file with the same output is looked up, so that both files are
  /// refused before either is written.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - root: The root that led to it; empty for a file from a list, which keeps its whole path.
  /// - Returns: The output path.
  /// - Throws: ``FileError`` `output-collision` if another input has the same output, or that another input
  ///   cannot be examined.
  /// - Complexity: One system call for each directory among the roots and each root of this name.
  package func output(for file: FilePath, root: FilePath) throws(FileError) -> FilePath {
    guard !root.isEmpty else { return directory.appending(Self.components(of: file)) }
    var relative = file
    if file == root || !relative.removePrefix(root) {
      relative = FilePath(root: nil, file.lastComponent.map { [$0] } ?? [])
    }
    var rivals: [FilePath] = []
    if let name = relative.lastComponent {
      rivals += directories.map { $0.appending(relative.components) }.filter(isFound)
      if relative.components.count == 1 { rivals += namedFiles[name] ?? [] }
    }
    rivals.removeAll { $0 == file }
    if !rivals.isEmpty {
      for rival in rivals {
        guard let other = try rival.examined(), other.kind == .regular,
          try !rival.isSameFile(as: file)
        else { continue }
        throw .collision(file, with: rival)
      }
    }
    return directory.appending(relative.components)
  }

  /// Whether a walk takes a file, by its name or else by its content.
  private func isFound(_ path: FilePath) -> Bool {
    let verdict = names.verdict(path.lastComponent?.bytes ?? [])
    return switch verdict {
    case .taken: true
    case .candidate: takes(path)
    case .otherFormat, .raw: names.takes(path, named: verdict)
    case .backup, .video, .other: false
    }
  }

  /// Returns the components of a path without those that lead out of a directory.
  private static func components(of path: FilePath) -> [FilePath.Component] {
    path.lexicallyNormalized().components.filter { $0.kind == .regular }
  }
}
