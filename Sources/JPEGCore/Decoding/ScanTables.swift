/// The decoding tables of a scan, created on first use and owned by this object.
final class ScanTables {
  private let tables: [HuffmanTable?]
  /// The offset of the scan in the file, for errors.
  private let offset: Int
  private var made: [DecodeTable?]

  init(_ tables: [HuffmanTable?], at offset: Int) {
    self.tables = tables
    self.offset = offset
    made = Array(repeating: nil, count: tables.count)
  }

  func differences(_ index: Int) throws(DecodeError) -> DecodeTable.Lookup {
    guard tables[index]?.symbols.allSatisfy({ $0 <= 15 }) != false else {
      throw .unsupported(at: offset, "a DC table has a symbol above 15")
    }
    return try table(index, .differences)
  }

  func coefficients(_ index: Int) throws(DecodeError) -> DecodeTable.Lookup {
    try table(index, .coefficients)
  }

  private func table(
    _ index: Int,
    _ use: DecodeTable.Use
  ) throws(DecodeError) -> DecodeTable.Lookup {
    if let table = made[index] { return table.lookup }
    guard let definition = tables[index] else {
      throw .unsupported(at: offset, "a scan uses a Huffman table that is not defined")
    }
    guard let table = DecodeTable(definition, for: use) else {
      throw .unsupported(at: offset, "a Huffman table has more codes than there can be")
    }
    made[index] = table
    return table.lookup
  }
}
