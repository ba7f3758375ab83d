package import SystemPackage

/// Paths from a file or from standard input, in the format of `find -print` or `find -print0`; or given ones.
///
/// A file is read as needed, and no path of it is kept.
package struct PathList: Sequence, Sendable {
  /// The maximum length of a path in bytes (`PATH_MAX` of Linux, without the final NUL).
  package static let maxPathLength = 4095

  private var lines: Lines?
  private var paths: [FilePath] = []

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - source: The list; `-` is standard input.
  ///   - terminator: The byte after each path: a line feed, or NUL for paths that may contain line feeds.
  package init(_ source: FilePath, endingWith terminator: UInt8 = UInt8(ascii: "\n")) {
    lines = Lines(source, endingWith: terminator, limit: Self.maxPathLength)
  }

  /// Creates a list of paths.
  package init(_ paths: [FilePath]) { self.paths = paths }

  /// Starts at the beginning of the list.
  package func makeIterator() -> Iterator { Iterator(lines, paths) }

  /// An iteration over the list.
  package struct Iterator: IteratorProtocol, Sendable {
    private let source: FilePath
    private let endsWithReturn: Bool
    private var lines: Lines.Iterator?
    private var paths: IndexingIterator<[FilePath]>

    init(_ lines: Lines?, _ paths: [FilePath]) {
      source = lines?.source ?? ""
      endsWithReturn = lines?.terminator == UInt8(ascii: "\n")
      self.lines = lines?.makeIterator()
      self.paths = paths.makeIterator()
    }

    /// Returns the next path, or why a line is not a path or the list cannot be read any further; `nil` at its
    /// end, or if the process is interrupted.
    package mutating func next() -> Result<FilePath, FileError>? {
      if let path = paths.next() { return .success(path) }
      while let next = lines?.next() {
        switch next {
        case .failure(let error): return error.problem == .interrupted ? nil : .failure(error)
        case .success(let line):
          guard line.isWhole else { return .failure(error(line, .nameTooLong)) }
          var bytes = line.bytes
          // Lists from Windows have CR LF.
          if endsWithReturn, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
          if bytes.isEmpty { continue }
          guard let path = FilePath(bytes: bytes) else {
            return .failure(error(line, .notPath))
          }
          return .success(path)
        }
      }
      return nil
    }

    /// Returns the error of a line, which is identified by its beginning.
    private func error(_ line: Lines.Line, _ problem: FileError.Problem) -> FileError {
      let beginning = line.bytes.prefix { $0 != 0 }.prefix(200)
      let path = beginning.isEmpty ? nil : FilePath(bytes: beginning + Array("…".utf8))
      return FileError(path ?? source, .open, problem)
    }
  }
}
