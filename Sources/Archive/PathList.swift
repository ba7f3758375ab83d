package import SystemPackage

/// Paths from a file or from standard input, one after the other, as `find` prints them.
///
/// The list is read as it is needed; nothing is remembered.
package struct PathList: Sequence, Sendable {
  /// The list; `-` is standard input.
  package var source: FilePath
  /// The byte that ends each path: a line feed, or NUL for paths that may hold line feeds.
  package var terminator: UInt8

  package init(_ source: FilePath, endingWith terminator: UInt8 = UInt8(ascii: "\n")) {
    self.source = source
    self.terminator = terminator
  }

  /// Starts at the beginning of the list.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// A list that is being read.
  package struct Iterator: IteratorProtocol, Sendable {
    private let list: PathList
    private var input: StandardStreams.Input?
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    init(_ list: PathList) { self.list = list }

    /// The next path, or why the list cannot be read any further; `nil` at its end.
    package mutating func next() -> Result<FilePath, FileError>? {
      while true {
        if let end = buffer[position...].firstIndex(of: list.terminator) {
          let line = Array(buffer[position..<end])
          position = end + 1
          if let path = Self.path(line) { return .success(path) }
          continue
        }
        guard !isAtEnd else { return nil }
        buffer.removeSubrange(..<position)
        position = 0
        do throws(FileError) {
          let more = try read()
          if more.isEmpty {
            isAtEnd = true
            // The last path may lack its end.
            buffer.append(list.terminator)
          } else {
            buffer += more
          }
        } catch {
          isAtEnd = true
          buffer = []
          return .failure(error)
        }
      }
    }

    private mutating func read() throws(FileError) -> [UInt8] {
      if let input { return try input.read() }
      let input = try StandardStreams.Input(list.source)
      self.input = input
      return try input.read()
    }

    private static func path(_ line: [UInt8]) -> FilePath? {
      guard !line.isEmpty else { return nil }
      return FilePath(bytes: line)
    }
  }
}
