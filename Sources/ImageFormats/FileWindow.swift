internal import JPEGCore

/// The parts of a file that were read so far.
///
/// Readers request bytes from it. If they are missing, the request ends with ``ReadingStop/needs(offset:count:)``; the
/// caller reads them, adds them and starts the reader again.
package struct FileWindow: Sendable {
  /// The size of the file in bytes.
  package let size: Int
  private var parts: [(start: Int, bytes: [UInt8])] = []
  private var readCount = 0

  /// The maximum length of a part, in bytes: of a box `meta`, an Exif block, an XMP packet.
  package static let maxPart = 16 << 20
  /// The maximum number of bytes that are read of a file.
  private static let maxCount = 64 << 20
  /// The number of parts that are kept.
  private static let maxParts = 64

  package init(size: Int) { self.size = size }

  /// Adds bytes that were read.
  package mutating func add(_ bytes: [UInt8], at offset: Int) throws(ReadingStop) {
    readCount += bytes.count
    guard readCount <= Self.maxCount else {
      throw .failed(.limit, offset: offset, "the header is larger than \(Self.maxCount >> 20) MiB")
    }
    // The first part is the beginning, which every attempt needs.
    if parts.count == Self.maxParts { parts.remove(at: 1) }
    parts.append((offset, bytes))
  }

  /// Returns the bytes in a range.
  ///
  /// - Throws: ``ReadingStop``: `needs`, or `failed` if the range is not within the file or too long.
  func bytes(_ range: Range<Int>) throws(ReadingStop) -> [UInt8] {
    guard range.count <= Self.maxPart else {
      throw .failed(
        .limit,
        offset: range.lowerBound,
        "a part of the header is larger than \(Self.maxPart >> 20) MiB"
      )
    }
    guard range.lowerBound >= 0, range.upperBound <= size else {
      throw .failed(.truncated, offset: min(range.lowerBound, size), "the file ends too early")
    }
    let found = parts.lastIndex {
      $0.start <= range.lowerBound && range.upperBound <= $0.start + $0.bytes.count
    }
    guard let found else { throw .needs(offset: range.lowerBound, count: range.count) }
    let start = parts[found].start
    return Array(parts[found].bytes[range.lowerBound - start..<range.upperBound - start])
  }

  /// Returns a number of bytes from an offset, fewer at the end of the file.
  func bytes(at offset: Int, upTo count: Int) throws(ReadingStop) -> [UInt8] {
    try bytes(min(offset, size)..<min(offset + count, size))
  }
}

/// Why a reader stopped.
package enum ReadingStop: Error {
  /// The kind of a problem.
  package enum Problem: Sendable {
    case truncated, malformed, unsupported, limit
  }

  /// The reader needs bytes of the file.
  case needs(offset: Int, count: Int)
  /// The file cannot be read.
  case failed(Failure)

  /// What is wrong, and where.
  package struct Failure: Sendable {
    package var problem: Problem
    package var offset: Int?
    package var message: String
  }

  static func failed(_ problem: Problem, offset: Int?, _ message: String) -> ReadingStop {
    .failed(Failure(problem: problem, offset: offset, message: message))
  }

  static func malformed(at offset: Int?, _ message: String) -> ReadingStop {
    .failed(.malformed, offset: offset, message)
  }
}
