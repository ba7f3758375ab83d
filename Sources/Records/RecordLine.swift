internal import FileSystem
internal import Reports
package import SystemPackage
internal import Upright

/// A line of a record file: JSON whose last member is a checksum of the bytes before it.
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
    /// The line is one of Upright 0.2.0, whose format was not final.
    case formerVersion
  }

  /// The content of a line.
  package enum Content: Sendable {
    /// The record of a rewrite.
    case record(Record)
    /// A directory that the relative paths of records refer to.
    case base(RecordBase)
  }

  /// The maximum length of a line in bytes, which bounds the memory for reading one.
  package static let maxLength = 1 << 24

  private static let opening = Array(",\"check\":\"".utf8)
  private static let closing = Array("\"}".utf8)
  private static let checkLength = 16

  /// Returns the hash of the original in a line that was cut after it; nil if the line was cut before.
  ///
  /// In a line that is whole, nothing but its members contains such quotes.
  static func original(ofCut line: [UInt8]) -> Digest? {
    guard let member = line.firstRange(of: Array("\"before\":{".utf8))?.upperBound,
      let hash = line[member...].firstRange(of: Array("\"sha256\":\"".utf8))?.upperBound
    else { return nil }
    return Digest(hexadecimal: String(decoding: line[hash...].prefix(64), as: UTF8.self))
  }

  /// Returns the line of a record, with its line end.
  ///
  /// Paths below the base are written relative to it.
  package static func bytes(of record: Record, in base: RecordBase? = nil) -> [UInt8] {
    line(RecordFields(record: record, base: base).jsonBytes)
  }

  /// Completes the object of a line.
  static func line(_ text: [UInt8]) -> [UInt8] {
    text.dropLast() + opening + Array(check(text).utf8) + closing + [UInt8(ascii: "\n")]
  }

  /// Parses the line of a record.
  ///
  /// - Throws: ``Problem``, also for a line that is not that of a record.
  package static func record(
    _ line: [UInt8],
    bases: [String: FilePath] = [:]
  ) throws(Problem) -> Record {
    guard case .record(let record) = try content(of: line, bases: bases) else { throw .damaged }
    return record
  }

  /// Parses a line.
  package static func content(
    of line: [UInt8],
    bases: [String: FilePath]
  ) throws(Problem) -> Content {
    guard line.last == UInt8(ascii: "}") else { throw .cut }
    let tail = opening.count + checkLength + closing.count
    guard line.count > tail, line.first == UInt8(ascii: "{") else { throw .damaged }
    let body = line.dropLast(tail) + closing.suffix(1)
    let check = check(Array(body))
    guard line.suffix(tail).elementsEqual(opening + Array(check.utf8) + closing) else {
      throw version(line).map(Problem.unknownVersion) ?? .damaged
    }
    let fields: RecordFields
    do throws(JSONValue.Invalid) {
      let json = try JSONValue(Array(body))
      // The name that ends every line.
      if json.has("check") { throw JSONValue.Invalid() }
      fields = try RecordFields(json)
    } catch {
      throw version(Array(body)).map(Problem.unknownVersion) ?? .damaged
    }
    guard fields.schema == Record.schema else { throw .unknownVersion(fields.schema) }
    switch fields.content {
    case .base(let path):
      guard path.path.isAbsolute else { throw .unusablePath }
      return .base(RecordBase(path: path.path.lexicallyNormalized(), id: check))
    case .record(let record, let base):
      // It had the path of the directory in each line.
      if base?.hasPrefix("/") == true { throw .formerVersion }
      return .record(try resolved(record, base: base, bases))
    }
  }

  /// Returns a record with absolute paths, if its base is known.
  private static func resolved(
    _ record: Record,
    base: String?,
    _ bases: [String: FilePath]
  ) throws(Problem) -> Record {
    var record = record
    let paths = [record.path, record.output ?? record.path]
    guard paths.allSatisfy({ !$0.path.isEmpty }) else { throw .unusablePath }
    if let base {
      guard let path = bases[base] else {
        record.missingBase = base
        // A path that is absolute does not need the base.
        if record.path.path.isAbsolute { record.path = record.path.resolved(in: "/") }
        if let output = record.output, output.path.isAbsolute {
          record.output = output.resolved(in: "/")
        }
        return record
      }
      record.path = record.path.resolved(in: path)
      record.output = record.output?.resolved(in: path)
    } else {
      guard paths.allSatisfy({ $0.path.isAbsolute || $0.path == StandardStreams.path }) else {
        throw .unusablePath
      }
      record.path = record.path.resolved(in: "/")
      record.output = record.output?.resolved(in: "/")
    }
    return record
  }

  /// Returns the version of a line, if it is a record of another version.
  private static func version(_ line: [UInt8]) -> String? {
    // A damaged long line is not decoded, to save memory.
    guard line.count <= 1 << 20 else { return nil }
    guard let schema = (try? JSONValue(line))?["schema"]?.string,
      schema.hasPrefix("upright-record/"), schema != Record.schema
    else { return nil }
    return schema
  }

  /// Returns the check of an object.
  static func check(_ body: [UInt8]) -> String {
    String(Digest(of: body).hexadecimal.prefix(checkLength))
  }
}

/// A directory that the relative paths of records refer to; it has a line of its own before them.
package struct RecordBase: Hashable, Sendable {
  /// The directory, an absolute path.
  package var path: FilePath
  /// Its identifier in records: the check of its line.
  package var id: String

  init(path: FilePath, id: String) { (self.path, self.id) = (path, id) }

  /// Creates the base of a directory.
  package init(_ path: FilePath) {
    self.init(path: path, id: RecordLine.check(RecordFields(base: path).jsonBytes))
  }

  /// The line of the base, with its line end.
  package var line: [UInt8] { RecordLine.line(RecordFields(base: path).jsonBytes) }

  /// Whether a record has a path below the base.
  func contains(_ record: Record) -> Bool {
    [record.path, record.output ?? record.path].contains { relative($0.path) != nil }
  }

  /// Returns a path relative to the base; nil if it is not below it.
  func relative(_ path: FilePath) -> FilePath? {
    var rest = path
    guard rest.removePrefix(self.path), !rest.isEmpty, rest != StandardStreams.path else {
      return nil
    }
    return rest
  }
}
