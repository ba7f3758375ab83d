import FileBytes
import Fixtures
import Foundation
import JPEGCore
import Records
import SystemPackage
import Testing
import Upright

/// The test vectors of docs/record-format.md, which every version must be able to read.
struct RecordVectorTests {
  private struct Vectors: Decodable {
    var vectors: [Vector]
  }

  private struct Vector: Decodable {
    var original: String
    var result: String
    var line: Int
  }

  private func bytes(_ name: String) throws -> [UInt8] { try Fixture.bytes("records/\(name)") }

  @Test func `Every vector restores its original`() throws {
    let list = try JSONDecoder().decode(Vectors.self, from: Data(try bytes("vectors.json")))
    let lines = try bytes("records.ndjson").split(separator: UInt8(ascii: "\n"))
    #expect(list.vectors.count > 50)
    for vector in list.vectors {
      let record = try RecordLine.record(Array(lines[vector.line - 1]))
      let result = try bytes(vector.result)
      #expect(record.after == Record.Content(result))
      let undo = try #require(try record.undo?.record(forResultOf: result.count))
      #expect(try undo.restoreOriginal(from: result) == bytes(vector.original), "\(vector.result)")
    }
  }

  /// A path as records have it.
  private struct Path: Decodable {
    var path: RecordedPath

    private enum Key: String, CodingKey { case bytes }

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        path = RecordedPath(text)
      } else {
        let digits = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .bytes)
        path = try #require([UInt8](hexadecimal: digits).flatMap(RecordedPath.init(bytes:)))
      }
    }
  }

  private struct Files: Decodable {
    struct Row: Decodable {
      var records: String
      var path: Path
      var result: String
      /// The first original; nil if nothing is to be restored.
      var original: String?
      /// The contents of files at other paths.
      var there: [String: String]?
    }

    var files: [Row]
  }

  @Test func `Every record file leads to the first original`() throws {
    let list = try JSONDecoder().decode(Files.self, from: Data(try bytes("vectors.json")))
    #expect(list.files.count > 10)
    let scratch = try Scratch()
    for row in list.files {
      let records = try scratch.write(try bytes(row.records), to: row.records)
      let index = try RecordIndex(of: RecordedPath(records))
      let there = try (row.there ?? [:]).mapValues { PlaceContent.file(Digest(of: try bytes($0))) }
      let result = try bytes(row.result)
      // A record that contradicts its files is an error.
      let found = try? index.restoration(
        of: result,
        at: row.path.path.path.lexicallyNormalized(),
        maxPixels: 1 << 20,
        content: { there[$0.string] ?? .nothing }
      )
      let original = if case .restored(let bytes)? = found { bytes } else { [UInt8]?.none }
      #expect(try original == row.original.map(bytes), "\(row.records), \(row.path.path)")
    }
  }

  private struct Photos: Decodable {
    struct Row: Decodable {
      var result: String
      /// What the undo data in the photo restores; nil if nothing is to be restored.
      var original: String?
    }

    var photos: [Row]
  }

  @Test func `Every photo with undo data restores its first original`() throws {
    let list = try JSONDecoder().decode(Photos.self, from: Data(try bytes("vectors.json")))
    #expect(list.photos.count > 15)
    for row in list.photos {
      let found = try? Restoration(embeddedIn: bytes(row.result), maxPixels: 1 << 20)
      let original = if case .restored(let bytes) = found { bytes } else { [UInt8]?.none }
      #expect(try original == row.original.map(bytes), "\(row.result)")
    }
  }
}
