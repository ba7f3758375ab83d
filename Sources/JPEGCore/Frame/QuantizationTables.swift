internal import FileBytes

/// The quantization tables of one DQT segment (T.81, B.2.4.1).
package struct QuantizationTables: Sendable {
  /// One table: the range of its 64 elements in zigzag order.
  package struct Table: Sendable {
    /// The slot, 0 to 3.
    package var slot: UInt8
    /// Bytes per element: 1 or 2.
    package var elementSize: Int
    /// The range of the elements in the file.
    package var elements: Range<Int>
  }

  package var tables: [Table] = []

  /// Reads the payload of a DQT segment.
  package init(_ segment: Segment, in bytes: Span<UInt8>) throws(ContainerError) {
    var position = segment.payload.lowerBound
    while position < segment.payload.upperBound {
      let (precision, slot) = (bytes[position] >> 4, bytes[position] & 15)
      let size = precision == 0 ? 1 : 2
      let elements = position + 1..<position + 1 + 64 * size
      guard precision <= 1, slot <= 3, elements.upperBound <= segment.payload.upperBound else {
        throw .malformed(at: position, "DQT: a table does not fit into its segment or slot")
      }
      tables.append(Table(slot: slot, elementSize: size, elements: elements))
      position = elements.upperBound
    }
  }

  /// Returns the 64 steps of a table in zigzag order.
  package static func steps(_ table: Table, in bytes: Span<UInt8>) -> [UInt16] {
    let start = table.elements.lowerBound
    return (0..<64).map { index in
      table.elementSize == 1
        ? UInt16(bytes[start + index]) : bytes.uint16(at: start + 2 * index) ?? 0
    }
  }

  /// Returns the table of each component of a frame, 64 steps each in zigzag order.
  ///
  /// The standard forbids steps of 0, and decoders accept them.
  package static func tables(
    of frame: Frame,
    in container: Container,
    _ bytes: Span<UInt8>,
    zerosAllowed: Bool = false
  ) throws(ContainerError) -> [[UInt16]] {
    var slots: [UInt8: [UInt16]] = [:]
    for segment in container.segments where segment.marker == .defineQuantizationTables {
      for table in try QuantizationTables(segment, in: bytes).tables {
        slots[table.slot] = steps(table, in: bytes)
      }
    }
    var result: [[UInt16]] = []
    for component in frame.components {
      guard let steps = slots[component.quantizationTable], zerosAllowed || !steps.contains(0)
      else {
        let start = container.segments[0].range.lowerBound
        throw .malformed(at: start, "DQT: a component has no quantization table")
      }
      result.append(steps)
    }
    return result
  }

  /// Returns the elements of a table with rows and columns swapped, in zigzag order.
  package static func transposed(_ table: Table, in bytes: Span<UInt8>) -> [UInt8] {
    let (start, size) = (table.elements.lowerBound, table.elementSize)
    var elements: [UInt8] = []
    elements.reserveCapacity(table.elements.count)
    for step in Zigzag.transposed {
      for byte in 0..<size { elements.append(bytes[start + step * size + byte]) }
    }
    return elements
  }
}
