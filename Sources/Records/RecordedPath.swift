internal import Archive
internal import JPEGCore
package import SystemPackage

/// A path in a record: text, and its exact bytes where these are no UTF-8.
///
/// In JSON it is a string, or an object of the `text` for people and the `bytes` in hexadecimal.
package struct RecordedPath: Codable, Hashable, Sendable {
  package var path: FilePath

  package init(_ path: FilePath) { self.path = path }

  private enum Key: String, CodingKey {
    case text, bytes
  }

  package init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      // A path ends at a NUL, and would be another one.
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

  package func encode(to encoder: any Encoder) throws {
    if String(validating: path) != nil {
      var container = encoder.singleValueContainer()
      try container.encode(path.string)
    } else {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(path.string, forKey: .text)
      try container.encode(path.bytes.hexadecimal(), forKey: .bytes)
    }
  }
}
