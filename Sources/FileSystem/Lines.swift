package import SystemPackage

/// The lines of a file or of standard input, without empty ones.
///
/// Each byte is read once, and at most `limit` bytes of a line are held in memory.
package struct Lines: Sequence, Sendable {
  /// The file; `-` is standard input.
  package var source: FilePath
  /// The byte that terminates each line.
  package var terminator: UInt8
  /// The maximum length of a line in bytes, without its terminator; longer lines are truncated.
  package var limit: Int

  package init(_ source: FilePath, endingWith terminator: UInt8 = UInt8(ascii: "\n"), limit: Int) {
    self.source = source
    self.terminator = terminator
    self.limit = limit
  }

  /// Starts at the beginning of the file, which is opened when the first line is read.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// One line.
  package struct Line: Sendable {
    /// The line without its terminator, truncated to the limit.
    package fileprivate(set) var bytes: [UInt8] = []
    /// The number of the line, from 1; empty lines count.
    package fileprivate(set) var number: Int
    /// The range of the whole line in the file, without its terminator.
    package fileprivate(set) var range: Range<Int>

    /// Whether the line was not truncated.
    package var isWhole: Bool { bytes.count == range.count }
  }

  /// An iteration over the lines.
  package struct Iterator: IteratorProtocol, Sendable {
    private let lines: Lines
    private var input: StandardStreams.Input?
    /// The bytes read last, of which those from `position` on belong to the next lines.
    private var piece: [UInt8] = []
    private var position = 0
    /// The number of bytes read so far.
    private var total = 0
    /// The offset of the next line in the file.
    private var start = 0
    /// The number of lines that have ended.
    private var count = 0
    private var isAtEnd = false

    init(_ lines: Lines) { self.lines = lines }

    /// Returns the next line, or why the file cannot be read any further; `nil` at its end, which also ends the
    /// last line.
    package mutating func next() -> Result<Line, FileError>? {
      var line = Line(number: count + 1, range: start..<start)
      while true {
        if line.range.isEmpty {
          skipEmptyLines()
          line = Line(number: count + 1, range: start..<start)
        }
        let end = piece[position...].firstIndex(of: lines.terminator)
        let part = piece[position..<(end ?? piece.endIndex)]
        line.bytes += part.prefix(lines.limit - line.bytes.count)
        line.range = start..<line.range.upperBound + part.count
        if let end {
          position = end + 1
          start = line.range.upperBound + 1
          count += 1
          return .success(line)
        }
        position = 0
        piece = []
        if isAtEnd {
          start = line.range.upperBound
          return line.range.isEmpty ? nil : .success(line)
        }
        do throws(FileError) {
          piece = try read()
          isAtEnd = piece.isEmpty
        } catch {
          isAtEnd = true
          start = line.range.upperBound
          return .failure(error)
        }
      }
    }

    private mutating func skipEmptyLines() {
      let first = position
      while position < piece.count, piece[position] == lines.terminator { position += 1 }
      start += position - first
      count += position - first
    }

    private mutating func read() throws(FileError) -> [UInt8] {
      let input: StandardStreams.Input
      if let opened = self.input {
        input = opened
      } else {
        input = try StandardStreams.Input(lines.source)
        self.input = input
      }
      let bytes = try input.read(after: total)
      total += bytes.count
      return bytes
    }
  }
}
