import Foundation

/// A file of `fixtures/` and what its manifest says of it.
package struct Fixture: Decodable, Hashable, Sendable {
  /// What ought to become of a file, the options being the defaults.
  package enum Expectation: String, Decodable, Sendable {
    case unchanged, lossless, refused, conflict, damaged
    case reencoded = "re-encoded"
    case notJPEG = "not-jpeg"
  }

  package var path: String
  package var width: Int?
  package var height: Int?
  package var features: [String]
  package var orientation: Int?
  package var expect: Expectation
  /// What the Orientation asks for, whether or not it is done.
  package var transform: String
  /// The identifier of the reason or of the error; nil where the image is transformed.
  package var reason: String?
  /// The ways in which the scans are written that are not libjpeg's, such as `zero-padding`; nil where there are
  /// none.
  package var conventions: [String]?

  /// Every fixture, in the manifest's order.
  package static let all: [Fixture] = {
    struct Manifest: Decodable { var files: [Fixture] }
    do {
      let data = try Data(contentsOf: folder.appending(path: "manifest.json"))
      return try JSONDecoder().decode(Manifest.self, from: data).files
    } catch { fatalError("fixtures/manifest.json: \(error)") }
  }()

  /// The fixtures of which this is expected.
  package static func expecting(_ expectation: Expectation) -> [Fixture] {
    all.filter { $0.expect == expectation }
  }

  /// The fixtures whose scans are not written as libjpeg writes them.
  package static let ofConventions = all.filter { $0.conventions != nil }

  /// Whether djpeg writes the pixels, for which it needs a format: it has none for two components.
  package var hasPixels: Bool { !features.contains("two components") }

  /// The folder of the package that holds the fixtures; tests get bytes and copies of them, so that no
  /// command under test can change one.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../fixtures").standardized

  /// The bytes of the fixture at `path`.
  package static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The bytes of the fixture.
  package func bytes() throws -> [UInt8] { try Self.bytes(path) }
}

extension Fixture: CustomStringConvertible {
  package var description: String { path }
}
