internal import FileBytes
internal import FileSystem
package import SystemPackage

/// A path of a file: text, or its exact bytes if they are not UTF-8.
///
/// In JSON it is a string, or an object with `text` for people and `bytes` in hexadecimal.
public struct RecordedPath: Hashable, Sendable {
  package var path: FilePath

  package init(_ path: FilePath) { self.path = path }

  /// Creates a path from text; it ends at a NUL.
  public init(_ text: String) { self.init(FilePath(text)) }

  /// Creates a path from bytes; nil if they contain a NUL.
  public init?(bytes: [UInt8]) {
    guard let path = FilePath(bytes: bytes) else { return nil }
    self.init(path)
  }

  /// The bytes of the path.
  public var bytes: [UInt8] { path.bytes }

  /// Reads a string or an object; nil for other values.
  package init?(_ json: JSONValue) {
    // A text would end at a NUL, and would be a different path.
    let bytes = json.string.map { Array($0.utf8) }
    guard let bytes = bytes ?? json["bytes"]?.string.flatMap([UInt8].init(hexadecimal:))
    else { return nil }
    self.init(bytes: bytes)
  }
}

extension RecordedPath: ExpressibleByStringLiteral {
  /// Creates a path from text.
  public init(stringLiteral text: String) { self.init(text) }
}

extension RecordedPath: CustomStringConvertible {
  /// The path as text, with replacement characters if its bytes are not UTF-8.
  public var description: String { path.string }
}
