package import FileSystem
internal import Synchronization
package import SystemPackage

/// The output paths of a run, each written only once.
package final class OutputNames: Sendable {
  private let tree: OutputTree?
  private let repeats: Bool
  private let ending: String?
  /// The inputs by their outputs, so that `A.HEIC` and `A.heif` do not become the same file.
  private let inputs = Mutex<[FilePath: FilePath]>([:])

  package init(_ tree: OutputTree?, repeats: Bool, ending: String? = nil) {
    self.tree = tree
    self.repeats = repeats
    self.ending = ending
  }

  /// Returns the output of a file, which may also be that of another.
  ///
  /// - Throws: ``FileError`` `output-collision`.
  package func path(for input: FilePath, root: FilePath) throws(FileError) -> FilePath {
    let output = try tree?.output(for: input, root: root) ?? input
    return ending.map { Self.replaceEnding(of: output, $0) } ?? output
  }

  /// Returns the output of a file, or nil if the same file was visited before.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another file has the same output.
  package func output(for input: FilePath, root: FilePath) throws(FileError) -> FilePath? {
    let output = try path(for: input, root: root)
    return try isNew(output, of: input) ? output : nil
  }

  /// Whether an output was not made from the same file before.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another file has the same output.
  package func isNew(_ output: FilePath, of input: FilePath) throws(FileError) -> Bool {
    guard repeats else { return true }
    let place = output.lexicallyNormalized()
    let first = inputs.withLock { inputs in
      defer { if inputs[place] == nil { inputs[place] = input } }
      return inputs[place]
    }
    guard let first else { return true }
    guard try input.isSameFile(as: first) else {
      throw .collision(input, with: first)
    }
    return false
  }

  /// Returns a path with another extension; works on bytes, because names need not be UTF-8.
  private static func replaceEnding(of path: FilePath, _ ending: String) -> FilePath {
    let name = path.lastComponent?.bytes ?? []
    let dot = name.lastIndex(of: UInt8(ascii: "."))
    let stem = dot.map { $0 == 0 ? name[...] : name[..<$0] } ?? name[...]
    guard let new = FilePath.Component(bytes: stem + Array(".\(ending)".utf8)) else { return path }
    return path.removingLastComponent().appending(new)
  }
}
