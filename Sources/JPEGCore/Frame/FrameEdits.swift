package import FileBytes

/// Creates the edits that change a file's frame header and quantization tables to those of another frame.
package struct FrameEdits {
  private let container: Container
  private let old: Frame
  private let new: Frame

  package init(_ container: Container, from old: Frame, to new: Frame) {
    self.container = container
    self.old = old
    self.new = new
  }

  /// Returns the edits of dimensions and sampling factors.
  package func headerEdits(_ bytes: Span<UInt8>) -> [Edit] {
    guard let segment = container.segments.first(where: { $0.marker.startsFrame }) else {
      return []
    }
    let at = segment.payload.lowerBound
    var edits: [Edit] = []
    func set(_ name: String, at start: Int, to bytes: [UInt8], _ old: String, _ new: String) {
      let field = Edit.Field("frame.\(name)", old: old, new: new)
      edits.append(Edit(start..<start + bytes.count, with: bytes, field: field))
    }
    if (old.width, old.height) != (new.width, new.height) {
      set(
        "dimensions",
        at: at + 1,
        to: UInt16(new.height).bytes(.big) + UInt16(new.width).bytes(.big),
        "\(old.width)×\(old.height)",
        "\(new.width)×\(new.height)"
      )
    }
    for (index, (before, after)) in zip(old.components, new.components).enumerated() {
      let place = at + 6 + 3 * index
      if (before.horizontal, before.vertical) != (after.horizontal, after.vertical) {
        set(
          "sampling.\(index)",
          at: place + 1,
          to: [UInt8(after.horizontal << 4 | after.vertical)],
          "\(before.horizontal)×\(before.vertical)",
          "\(after.horizontal)×\(after.vertical)"
        )
      }
      if before.quantizationTable != after.quantizationTable {
        set(
          "quantization-table.\(index)",
          at: place + 2,
          to: [after.quantizationTable],
          "\(before.quantizationTable)",
          "\(after.quantizationTable)"
        )
      }
    }
    return edits
  }

  /// Returns the frame with separate table slots for components that cannot share a table any longer.
  package static func assigningSlots(_ frame: Frame, _ tables: [[UInt16]]) -> Frame {
    var result = frame
    var content: [UInt8: [UInt16]] = [:]
    let used = Set(frame.components.map { $0.quantizationTable })
    var free = (0..<4).map { UInt8($0) }.filter { !used.contains($0) }
    for index in frame.components.indices {
      let slot = frame.components[index].quantizationTable
      if content[slot] == nil || content[slot] == tables[index] {
        content[slot] = tables[index]
      } else if let same = content.first(where: { $0.value == tables[index] })?.key {
        result.components[index].quantizationTable = same
      } else if !free.isEmpty {
        let new = free.removeFirst()
        result.components[index].quantizationTable = new
        content[new] = tables[index]
      }
    }
    return result
  }

  /// Returns the edits that assign quantization tables to the components of the new frame: edits of existing tables,
  /// and an insertion of new ones.
  package func quantizationEdits(
    _ tables: [[UInt16]],
    _ bytes: Span<UInt8>
  ) throws(ContainerError) -> [Edit] {
    var missing: [UInt8: [UInt16]] = [:]
    for (component, steps) in zip(new.components, tables) {
      missing[component.quantizationTable] = steps
    }
    let requested = missing
    func encoded(_ steps: [UInt16], isWide: Bool) -> [UInt8] {
      steps.flatMap { isWide ? $0.bytes(.big) : [UInt8(truncatingIfNeeded: $0)] }
    }
    var edits = try tableEdits(bytes, "finer") { table in
      missing[table.slot] = nil
      return requested[table.slot].map { encoded($0, isWide: table.elementSize == 2) }
    }
    if !missing.isEmpty,
      let frame = container.segments.first(where: { $0.marker.startsFrame })?.range.lowerBound
    {
      let content = missing.ordered { Int($0.key) }.flatMap { slot, steps -> [UInt8] in
        let isWide = steps.contains { $0 > 255 }
        return [(isWide ? 0x10 : 0) | slot] + encoded(steps, isWide: isWide)
      }
      edits.append(
        Edit(
          frame..<frame,
          with: [0xFF, 0xDB] + UInt16(content.count + 2).bytes(.big) + content,
          field: Edit.Field("quantization-table.new", new: "added")
        )
      )
    }
    return edits
  }

  /// Returns the edits that transpose every quantization table.
  package func transpositionEdits(_ bytes: Span<UInt8>) throws(ContainerError) -> [Edit] {
    try tableEdits(bytes, "transposed") { QuantizationTables.transposed($0, in: bytes) }
  }

  /// Returns the edits of tables for which `elements` returns others.
  private func tableEdits(
    _ bytes: Span<UInt8>,
    _ change: String,
    _ elements: (QuantizationTables.Table) -> [UInt8]?
  ) throws(ContainerError) -> [Edit] {
    var edits: [Edit] = []
    for segment in container.segments where segment.marker == .defineQuantizationTables {
      for table in try QuantizationTables(segment, in: bytes).tables {
        guard let new = elements(table), new != bytes.bytes(table.elements) else { continue }
        let field = Edit.Field("quantization-table.\(table.slot)", new: change)
        edits.append(Edit(table.elements, with: new, field: field))
      }
    }
    return edits
  }
}
