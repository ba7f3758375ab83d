internal import Reports

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A record as one line of a file: JSON whose last member is a checksum of the bytes before it.
///
/// `check` is the start of the SHA-256 of the line without that member.
package enum RecordLine {
  /// Why a line is not a record.
  package enum Problem: Error, Hashable, Sendable {
    /// The line is incomplete, for example because a run was killed while it wrote the line.
    case cut
    /// The line was changed, or is not a record.
    case damaged
    /// The line has invalid paths: its base is not absolute, or a path is empty.
    case unusablePath
    /// The line has a version that this program does not support.
    case unknownVersion(String)
  }

  /// The maximum length of a line in bytes, which bounds the memory for reading one.
  package static let maxLength = 1 << 24

  private static let opening = Array(",\"check\":\"".utf8)
  private static let closing = Array("\"}".utf8)
  private static let checkLength = 16

  /// Returns the line of a record, with its line end.
  package static func bytes(of record: Record) -> [UInt8] {
    let text = record.jsonBytes
    return text.dropLast() + opening + check(text) + closing + [UInt8(ascii: "\n")]
  }

  /// Parses a line.
  ///
  /// - Parameter line: The line without its line end.
  /// - Returns: The record.
  /// - Throws: ``Problem``.
  package static func record(_ line: [UInt8]) throws(Problem) -> Record {
    guard line.last == UInt8(ascii: "}") else { throw .cut }
    let tail = opening.count + checkLength + closing.count
    guard line.count > tail, line.first == UInt8(ascii: "{") else { throw .damaged }
    let body = line.dropLast(tail) + closing.suffix(1)
    guard line.suffix(tail).starts(with: opening),
      line.suffix(checkLength + closing.count).starts(with: check(Array(body)))
    else {
      throw version(line).map(Problem.unknownVersion) ?? .damaged
    }
    guard let record = try? JSONDecoder().decode(Record.self, from: Data(body)) else {
      throw version(Array(body)).map(Problem.unknownVersion) ?? .damaged
    }
    guard record.schema == Record.schema else { throw .unknownVersion(record.schema) }
    guard record.hasUsablePaths else { throw .unusablePath }
    return record
  }

  /// Returns the version of a line, if it is a record of another version.
  private static func version(_ line: [UInt8]) -> String? {
    struct Version: Decodable {
      var schema: String
    }
    // A damaged long line is not decoded, to save memory.
    guard line.count <= 1 << 20 else { return nil }
    guard let version = try? JSONDecoder().decode(Version.self, from: Data(line)),
      version.schema.hasPrefix("upright-record/"), version.schema != Record.schema
    else { return nil }
    return version.schema
  }

  private static func check(_ body: [UInt8]) -> [UInt8] {
    Array(Digest(of: body).hexadecimal.utf8.prefix(checkLength))
  }
}
