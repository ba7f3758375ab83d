package import SystemPackage

/// Paths from a file or from standard input, one after the other, as `find` prints them.
///
/// The list is read as it is needed; nothing is remembered.
package struct PathList: Sequence, Sendable {
  /// The longest path that the system takes, in bytes (`PATH_MAX` of Linux, without the final NUL).
  package static let maxPathLength = 4095

  private let lines: Lines

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - source: The list; `-` is standard input.
  ///   - terminator: The byte that ends each path: a line feed, or NUL for paths that may hold line feeds.
  package init(_ source: FilePath, endingWith terminator: UInt8 = UInt8(ascii: "\n")) {
    lines = Lines(source, endingWith: terminator, limit: Self.maxPathLength)
  }

  /// Starts at the beginning of the list.
  package func makeIterator() -> Iterator { Iterator(lines) }

  /// A list that is being read.
  package struct Iterator: IteratorProtocol, Sendable {
    private let source: FilePath
    private let endsWithReturn: Bool
    private var lines: Lines.Iterator

    init(_ lines: Lines) {
      source = lines.source
      endsWithReturn = lines.terminator == UInt8(ascii: "\n")
      self.lines = lines.makeIterator()
    }

    /// The next path, or why a line is no path or the list cannot be read any further; `nil` at its end, or where
    /// the process is asked to end.
    package mutating func next() -> Result<FilePath, FileError>? {
      while let next = lines.next() {
        switch next {
        case .failure(let error): return error.problem == .interrupted ? nil : .failure(error)
        case .success(let line):
          guard line.isWhole else { return .failure(error(line, .nameTooLong)) }
          var bytes = line.bytes
          // Lists that were made on Windows.
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

    /// The error of a line, which is told by its beginning.
    private func error(_ line: Lines.Line, _ problem: FileError.Problem) -> FileError {
      let beginning = line.bytes.prefix { $0 != 0 }.prefix(200)
      let path = beginning.isEmpty ? nil : FilePath(bytes: beginning + Array("…".utf8))
      return FileError(path ?? source, .open, problem)
    }
  }
}
