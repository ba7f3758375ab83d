internal import Reports
package import Upright

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
  var base64: String { compressed.base64 }
}

extension PackedUndo {
  /// Reads the text of a line; nil if it is no base64.
  init?(_ json: JSONValue) {
    guard let compressed = json.string.flatMap([UInt8].init(base64:)) else { return nil }
    self.init(compressed: compressed)
  }
}
