internal import Reports

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A record as one line of a file: JSON whose last member checks the bytes before it.
///
/// `check` is the beginning of the SHA-256 of the line as it would be without that member.
package enum RecordLine {
  /// Why a line is not taken for a record.
  package enum Problem: Error, Hashable, Sendable {
    /// The line breaks off, as when a run was killed while it wrote it.
    case cut
    /// The line was changed, or is none of ours.
    case damaged
    /// The line names files as no rewrite does: from a directory that is not absolute, or not at all.
    case unusablePath
    /// The line is of a version that this program does not know.
    case unknownVersion(String)
  }

  /// The most bytes of a line, and so what bounds the memory that reading one takes.
  package static let maxLength = 1 << 24

  private static let opening = Array(",\"check\":\"".utf8)
  private static let closing = Array("\"}".utf8)
  private static let checkLength = 16

  /// The line of a record, with its line end.
  package static func bytes(of record: Record) -> [UInt8] {
    let text = record.jsonBytes
    return text.dropLast() + opening + check(text) + closing + [UInt8(ascii: "\n")]
  }

  /// The record that a line holds.
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

  /// The other version that a line says it is of.
  private static func version(_ line: [UInt8]) -> String? {
    struct Version: Decodable {
      var schema: String
    }
    // Damage is not worth the memory of decoding a long line.
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
