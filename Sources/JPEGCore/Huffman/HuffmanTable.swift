internal import FileBytes

/// A Huffman table as a DHT segment specifies it (T.81, B.2.4.2 and annex C).
package struct HuffmanTable: Hashable, Sendable {
  /// The table class Tc.
  package enum Class: UInt8, Sendable, Hashable {
    case dc = 0
    case ac = 1
  }

  /// The maximum length of a code in bits.
  package static var maxLength: Int { 16 }

  /// BITS: the number of codes of each length, 1 to 16 bits.
  package var counts: [UInt8]
  /// HUFFVAL: the symbols in order of increasing code length.
  package var symbols: [UInt8]

  package init(counts: [UInt8], symbols: [UInt8]) {
    self.counts = counts
    self.symbols = symbols
  }

  /// The table as it is in a DHT segment, after the byte of class and slot.
  package var serialized: [UInt8] { counts + symbols }

  /// The code and its length for each symbol (T.81, C.2); length 0 if the symbol has no code.
  package var codes: [(code: UInt16, length: UInt8)] {
    var result = [(code: UInt16, length: UInt8)](repeating: (0, 0), count: 256)
    var code: UInt32 = 0
    var index = 0
    for (length, count) in counts.enumerated() {
      for _ in 0..<count where index < symbols.count {
        result[Int(symbols[index])] = (UInt16(truncatingIfNeeded: code), UInt8(length + 1))
        code += 1
        index += 1
      }
      code <<= 1
    }
    return result
  }
}

/// A DHT segment: its tables and their ranges in the file.
package struct HuffmanTables: Sendable {
  /// One table definition.
  package struct Definition: Sendable {
    package var tableClass: HuffmanTable.Class
    /// The slot, 0 to 3.
    package var slot: Int
    package var table: HuffmanTable
    /// The range in the file: class and slot, counts and symbols.
    package var range: Range<Int>
  }

  package var definitions: [Definition] = []

  /// Reads the payload of a DHT segment.
  package init(_ segment: Segment, in bytes: Span<UInt8>) throws(ContainerError) {
    var position = segment.payload.lowerBound
    let end = segment.payload.upperBound
    while position < end {
      let counts = bytes.bytes(position + 1..<min(position + 17, end))
      let total = counts.reduce(0) { $0 + Int($1) }
      guard let tableClass = HuffmanTable.Class(rawValue: bytes[position] >> 4),
        bytes[position] & 15 <= 3, counts.count == 16, total <= 256, position + 17 + total <= end
      else {
        throw ContainerError(
          .malformed,
          at: position,
          "DHT: a table does not fit into its segment or slot"
        )
      }
      let symbols = bytes.bytes(position + 17..<position + 17 + total)
      definitions.append(
        Definition(
          tableClass: tableClass,
          slot: Int(bytes[position] & 15),
          table: HuffmanTable(counts: counts, symbols: symbols),
          range: position..<position + 17 + total
        )
      )
      position += 17 + total
    }
  }
}
