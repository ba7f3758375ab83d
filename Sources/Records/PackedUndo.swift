internal import Reports
package import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An undo record as it is stored: compressed; in a line of a record file also in base64.
package struct PackedUndo: Hashable, Sendable {
  /// The compressed form.
  let compressed: [UInt8]

  init(compressed: [UInt8]) { self.compressed = compressed }

  init(_ record: UndoRecord) { compressed = Compression.compressed(record.serialized) }

  /// The size of the compressed form in bytes.
  package var size: Int { compressed.count }

  /// Returns the undo record.
  ///
  /// The size of the rewritten file bounds that of the undo record.
  ///
  /// - Throws: ``UprightError`` of code `malformed`.
  package func record(forResultOf size: Int) throws(UprightError) -> UndoRecord {
    let limit = UndoRecord.maxBytes(forResultOf: size)
    guard let serialized = Compression.expanded(compressed, limit: limit) else {
      throw UprightError(.malformed, "the undo record is damaged")
    }
    return try UndoRecord(serialized: serialized)
  }

  /// The compressed form in base64.
  var base64: String { Data(compressed).base64EncodedString() }
}

extension PackedUndo: Decodable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let data = Data(base64Encoded: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no base64")
    }
    compressed = [UInt8](data)
  }
}
