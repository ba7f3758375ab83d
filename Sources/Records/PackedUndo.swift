package import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An undo record as it is stored: compressed, in base64; null if there is none.
package struct PackedUndo: Codable, Hashable, Sendable {
  /// The compressed form.
  private let compressed: [UInt8]?

  init(_ record: UndoRecord?) {
    compressed = record.map { Compression.compressed($0.serialized) }
  }

  /// Whether there is no undo record.
  package var isNull: Bool { compressed == nil }

  /// The size of the compressed form in bytes.
  package var size: Int { compressed?.count ?? 0 }

  /// Returns the undo record.
  ///
  /// - Parameter size: The size of the rewritten file in bytes, which bounds the size of the undo record.
  /// - Returns: The undo record, or nil if there is none.
  /// - Throws: ``UprightError`` of code `malformed`.
  package func record(forResultOf size: Int) throws(UprightError) -> UndoRecord? {
    guard let compressed else { return nil }
    let limit = UndoRecord.maxBytes(forResultOf: size)
    guard let serialized = Compression.expanded(compressed, limit: limit) else {
      throw UprightError(.malformed, "the undo record is damaged")
    }
    return try UndoRecord(serialized: serialized)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      compressed = nil
      return
    }
    guard let data = Data(base64Encoded: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no base64")
    }
    compressed = [UInt8](data)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let compressed {
      try container.encode(Data(compressed).base64EncodedString())
    } else {
      try container.encodeNil()
    }
  }
}
