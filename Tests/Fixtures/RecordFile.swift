/// The lines of records in a record file, without those of bases.
package struct RecordFile {
  /// The lines.
  package var lines: [[UInt8]]
  /// The number of records.
  package var count: Int { lines.count }

  /// Reads `record.ndjson`.
  package init(_ scratch: Scratch) throws {
    lines = try scratch.read("record.ndjson").split(separator: UInt8(ascii: "\n")).map(Array.init)
      .filter { String(decoding: $0, as: UTF8.self).contains("\"path\"") }
  }

  /// Writes lines to `record.ndjson`.
  package static func write(_ lines: [[UInt8]], _ scratch: Scratch) throws {
    try scratch.write(Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined()), to: "record.ndjson")
  }
}
