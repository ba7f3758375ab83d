import Foundation

/// A file of `fixtures/` and its entry in the manifest.
package struct Fixture: Decodable, Hashable, Sendable {
  /// The expected result for a file, with default options.
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
  /// The transform for the Orientation, even if it is not carried out.
  package var transform: String
  /// The identifier of the reason or of the error; nil if the image is transformed.
  package var reason: String?
  /// The non-default conventions of the scans, such as `zero-padding`; nil if there are
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

  /// Returns the fixtures with this expectation.
  package static func expecting(_ expectation: Expectation) -> [Fixture] {
    all.filter { $0.expect == expectation }
  }

  /// The fixtures whose scans differ from libjpeg's conventions.
  package static let ofConventions = all.filter { $0.conventions != nil }

  /// Whether djpeg can write the pixels; it has no format for two components.
  package var hasPixels: Bool { !features.contains("two components") }

  /// The folder of the package that holds the fixtures; tests use bytes and copies of them, so no
  /// command under test can change one.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../fixtures").standardized

  /// The path of the folder of all fixtures.
  package static var directory: String { folder.path(percentEncoded: false) }

  /// The bytes of the fixture at `path`.
  package static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The paths of the fixtures in a folder, in alphabetical order.
  package static func paths(in name: String) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: name).path(percentEncoded: false)
    )
    return files.sorted().map { "\(name)/\($0)" }
  }

  /// The bytes of the fixture.
  package func bytes() throws -> [UInt8] { try Self.bytes(path) }
}

extension Fixture: CustomStringConvertible {
  package var description: String { path }
}
