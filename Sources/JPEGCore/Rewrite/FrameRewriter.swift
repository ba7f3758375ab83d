/// Gives the edits that make a file's frame header and quantization tables those of another frame.
package struct FrameRewriter {
  private let container: Container
  private let old: Frame
  private let new: Frame

  /// - Parameters:
  ///   - container: The file's structure.
  ///   - old: The file's frame.
  ///   - new: The frame that it gets; with the same components.
  package init(_ container: Container, from old: Frame, to new: Frame) {
    self.container = container
    self.old = old
    self.new = new
  }

  /// The edits of dimensions and sampling factors.
  package func headerEdits(_ bytes: Span<UInt8>) -> [Edit] {
    guard let segment = container.segments.first(where: \.marker.startsFrame) else { return [] }
    let at = segment.payload.lowerBound
    var edits: [Edit] = []
    if old.size != new.size {
      edits.append(
        Edit(
          at + 1..<at + 5,
          with: UInt16(new.height).bytes(.big) + UInt16(new.width).bytes(.big),
          field: Edit.Field(
            "frame.dimensions",
            old: "\(old.width)×\(old.height)",
            new: "\(new.width)×\(new.height)"
          )
        )
      )
    }
    for (index, (before, after)) in zip(old.components, new.components).enumerated() {
      let place = at + 6 + 3 * index
      if (before.horizontal, before.vertical) != (after.horizontal, after.vertical) {
        edits.append(
          Edit(
            place + 1..<place + 2,
            with: [UInt8(after.horizontal << 4 | after.vertical)],
            field: Edit.Field(
              "frame.sampling.\(index)",
              old: "\(before.horizontal)×\(before.vertical)",
              new: "\(after.horizontal)×\(after.vertical)"
            )
          )
        )
      }
      if before.quantizationTable != after.quantizationTable {
        edits.append(
          Edit(
            place + 2..<place + 3,
            with: [after.quantizationTable],
            field: Edit.Field(
              "frame.quantization-table.\(index)",
              old: "\(before.quantizationTable)",
              new: "\(after.quantizationTable)"
            )
          )
        )
      }
    }
    return edits
  }

  /// The edits that transpose every quantization table.
  package func transpositionEdits(_ bytes: Span<UInt8>) throws(ContainerError) -> [Edit] {
    var edits: [Edit] = []
    for segment in container.segments where segment.marker == .defineQuantizationTables {
      for table in try QuantizationTables(segment, in: bytes).tables {
        let transposed = QuantizationTables.transposed(table, in: bytes)
        guard transposed != bytes.bytes(table.elements) else { continue }
        edits.append(
          Edit(
            table.elements,
            with: transposed,
            field: Edit.Field("quantization-table.\(table.slot)", new: "transposed")
          )
        )
      }
    }
    return edits
  }
}
