import Foundation

/// A file of `fixtures/` of the package above this one.
struct Fixture: Decodable, Hashable, Sendable {
  var path: String

  /// Every fixture, in the manifest's order.
  static let all: [Fixture] = {
    struct Manifest: Decodable { var files: [Fixture] }
    do {
      let data = Data(try bytes("manifest.json"))
      return try JSONDecoder().decode(Manifest.self, from: data).files
    } catch { fatalError("fixtures/manifest.json: \(error)") }
  }()

  /// The repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  /// The bytes of the fixture at `path`.
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appending(path: "fixtures").appending(path: path)))
  }

  /// The bytes of the fixture.
  func bytes() throws -> [UInt8] { try Self.bytes(path) }
}

extension Fixture: CustomStringConvertible {
  var description: String { path }
}
