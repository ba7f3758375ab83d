internal import FileSystem
internal import JPEGCore
package import SystemPackage

/// A path of a file: text, or its exact bytes if they are not UTF-8.
///
/// In JSON it is a string, or an object with `text` for people and `bytes` in hexadecimal.
public struct RecordedPath: Decodable, Hashable, Sendable {
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

  private enum Key: String, CodingKey {
    case text, bytes
  }

  /// Decodes a string or an object.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      // A path would end at a NUL, and would be a different one.
      guard let path = FilePath(bytes: Array(text.utf8)) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "a path has no NUL")
        )
      }
      self.path = path
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    let digits = try container.decode(String.self, forKey: .bytes)
    guard let bytes = [UInt8](hexadecimal: digits), let path = FilePath(bytes: bytes) else {
      throw DecodingError.dataCorruptedError(
        forKey: .bytes,
        in: container,
        debugDescription: "these are no bytes of a path"
      )
    }
    self.path = path
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
