internal import FileBytes
package import ImageOrientation

/// A frame header, SOFn (T.81, B.2.2).
package struct Frame: Hashable, Sendable {
  /// One component of the image.
  package struct Component: Hashable, Sendable {
    /// The component identifier that scans refer to.
    package var identifier: UInt8
    /// Horizontal sampling factor, 1 to 4.
    package var horizontal: Int
    /// Vertical sampling factor, 1 to 4.
    package var vertical: Int
    /// The slot of its quantization table, 0 to 3.
    package var quantizationTable: UInt8
  }

  package var process: CodingProcess
  /// Bits per sample: 8, rarely 12.
  package var precision: Int
  /// Samples per line.
  package var width: Int
  /// Lines.
  package var height: Int
  package var components: [Component]

  /// Reads the payload of an SOFn segment.
  package init(
    _ segment: Segment,
    in bytes: Span<UInt8>
  ) throws(ContainerError) {
    let at = segment.payload.lowerBound
    func malformed(_ message: String) -> ContainerError {
      .malformed(at: at, "\(segment.marker): \(message)")
    }
    guard segment.payload.count >= 6, let height = bytes.uint16(at: at + 1),
      let width = bytes.uint16(at: at + 3)
    else { throw malformed("the frame header is only \(segment.payload.count) bytes long") }
    let count = Int(bytes[at + 5])
    guard segment.payload.count >= 6 + 3 * count else {
      throw malformed("\(count) components do not fit into \(segment.payload.count) bytes")
    }
    guard count > 0 else { throw malformed("the frame has no components") }
    process = CodingProcess(rawValue: segment.marker.rawValue - 0xC0)
    precision = Int(bytes[at])
    self.width = Int(width)
    self.height = Int(height)
    components = (0..<count).map { index in
      let field = at + 6 + 3 * index
      return Component(
        identifier: bytes[field],
        horizontal: Int(bytes[field + 1] >> 4),
        vertical: Int(bytes[field + 1] & 15),
        quantizationTable: bytes[field + 2]
      )
    }
    guard
      components.allSatisfy({ (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) })
    else { throw malformed("a sampling factor is not 1 to 4") }
  }

  /// The largest horizontal sampling factor.
  package var maxHorizontal: Int { components.reduce(1) { max($0, $1.horizontal) } }
  /// The largest vertical sampling factor.
  package var maxVertical: Int { components.reduce(1) { max($0, $1.vertical) } }

  /// The number of pixels, at most the maximum of Int.
  package var pixelCount: Int { Int(clamping: Int64(width) * Int64(height)) }

  /// The number of blocks of an interleaved MCU.
  package var blocksPerMCU: Int { components.reduce(0) { $0 + $1.horizontal * $1.vertical } }

  /// Width and height of the interleaved MCU in pixels.
  ///
  /// A single component is never interleaved; its MCU is one block.
  package var interleavedMCU: (width: Int, height: Int) {
    components.count == 1 ? (8, 8) : (8 * maxHorizontal, 8 * maxVertical)
  }

  /// Returns the columns and rows of a component's blocks without padding (T.81, A.1.1 and A.2.4).
  package func blocks(of component: Int) -> (columns: Int, rows: Int) {
    let part = components[component]
    let samples = (
      (width * part.horizontal).dividedUp(by: maxHorizontal),
      (height * part.vertical).dividedUp(by: maxVertical)
    )
    return (samples.0.dividedUp(by: 8), samples.1.dividedUp(by: 8))
  }

  /// Returns the frame of the transformed image.
  package func transformed(by transform: OrientationTransform) -> Frame {
    guard transform.transposes else { return self }
    var result = self
    (result.width, result.height) = (height, width)
    for index in components.indices {
      result.components[index].horizontal = components[index].vertical
      result.components[index].vertical = components[index].horizontal
    }
    return result
  }

  /// Returns the frame without the partial MCUs that `transform` would move to the left or the top.
  package func trimmed(for transform: OrientationTransform) -> Frame {
    cropped(to: snapped(bounds, for: transform, .shrink))
  }
}

extension Frame {
  /// The chroma subsampling, such as `4:2:0`; the sampling factors if it has no common name.
  package var sampling: String {
    guard components.count >= 3 else {
      return components.count == 1 ? "grayscale" : factors
    }
    let chroma = components[1]
    guard components[2].horizontal == chroma.horizontal,
      components[2].vertical == chroma.vertical,
      components.dropFirst(3).allSatisfy({
        $0.horizontal == components[0].horizontal && $0.vertical == components[0].vertical
      }),
      components[0].horizontal % chroma.horizontal == 0,
      components[0].vertical % chroma.vertical == 0
    else { return factors }
    switch (components[0].horizontal / chroma.horizontal, components[0].vertical / chroma.vertical)
    {
    case (1, 1): return "4:4:4"
    case (2, 1): return "4:2:2"
    case (1, 2): return "4:4:0"
    case (2, 2): return "4:2:0"
    case (4, 1): return "4:1:1"
    case (1, 4): return "4:4:1"
    case (4, 2): return "4:1:0"
    default: return factors
    }
  }

  /// The sampling factors of all components, as in `2x2,1x1,1x1`.
  package var factors: String {
    components.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
  }
}

extension Int {
  /// Returns the quotient of a count, rounded up.
  package func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
