/// A scan header, SOS (T.81, B.2.3).
package struct ScanHeader: Hashable, Sendable {
  /// A component's part in the scan.
  package struct Component: Hashable, Sendable {
    /// The index of the component in the frame.
    package var index: Int
    /// The slot of its DC Huffman table.
    package var dcTable: Int
    /// The slot of its AC Huffman table.
    package var acTable: Int
  }

  package var components: [Component]
  /// The spectral selection Ss to Se: the first and last coefficient in zigzag order; all in a sequential image.
  package var spectrum: ClosedRange<Int>
  /// Ah: the Al of the previous scan of the coefficients, 0 in a first scan.
  package var approximationHigh: Int
  /// Al: the lowest bit that this scan codes.
  package var approximationLow: Int

  /// Reads the payload of an SOS segment.
  package init(
    _ segment: Segment,
    in bytes: Span<UInt8>,
    frame: Frame
  ) throws(ContainerError) {
    let at = segment.payload.lowerBound
    func malformed(_ message: String) -> ContainerError {
      .malformed(at: at, "SOS: \(message)")
    }
    guard !segment.payload.isEmpty else { throw malformed("the scan header is empty") }
    let count = Int(bytes[at])
    guard (1...4).contains(count), segment.payload.count >= 4 + 2 * count else {
      throw malformed("\(count) components do not fit into \(segment.payload.count) bytes")
    }
    var components: [Component] = []
    components.reserveCapacity(count)
    for index in 0..<count {
      let (identifier, tables) = (bytes[at + 1 + 2 * index], bytes[at + 2 + 2 * index])
      // Files exist in which two components have the same identifier; they are assigned in order.
      guard
        let component = frame.components.indices.first(where: { candidate in
          frame.components[candidate].identifier == identifier
            && !components.contains { $0.index == candidate }
        })
      else { throw malformed("component \(identifier) is not in the frame") }
      // T.81, B.2.3; libjpeg mostly refuses another order.
      guard component > components.last?.index ?? -1 else {
        throw malformed("the components are not in the order of the frame")
      }
      components.append(
        Component(index: component, dcTable: Int(tables >> 4), acTable: Int(tables & 15))
      )
    }
    self.components = components
    guard components.allSatisfy({ $0.dcTable < 4 && $0.acTable < 4 }) else {
      throw malformed("a Huffman table slot is not 0 to 3")
    }
    guard frame.process.isProgressive else {
      // Decoders ignore these parameters in sequential images, and some encoders write zeros.
      (spectrum, approximationHigh, approximationLow) = (0...63, 0, 0)
      return
    }
    let (first, last) = (Int(bytes[at + 1 + 2 * count]), Int(bytes[at + 2 + 2 * count]))
    guard first <= last, last < 64 else {
      throw malformed("the spectral selection \(first)…\(last) is not within 0…63")
    }
    spectrum = first...last
    let approximation = bytes[at + 3 + 2 * count]
    approximationHigh = Int(approximation >> 4)
    approximationLow = Int(approximation & 15)
    guard approximationLow <= 13 else {
      throw malformed("the successive approximation is \(approximationLow), at most 13 is allowed")
    }
  }
}

/// Returns the coefficients of a spectral selection, as bits.
func bandMask(_ spectrum: ClosedRange<Int>) -> UInt64 {
  (UInt64.max >> UInt64(63 - spectrum.upperBound)) & ~((1 << UInt64(spectrum.lowerBound)) - 1)
}
