package import JPEGCore
package import XMPPacket

/// An XMP packet of a file: what it says, and where in the file it says it.
package struct XMPBlock: Sendable {
  /// The APP1 segment that holds the packet; nil for a sidecar file, which is nothing but a packet.
  package let segment: Segment?
  package let packet: XMPPacket
  /// Where the packet begins in the file.
  package let start: Int

  /// The longest packet that a segment has room for.
  private static let longest = 65_533 - Segment.identifierLength(.xmp)

  /// Names without one of which a packet has nothing that a rewrite reads or changes, in whatever namespace
  /// and spelling: most packets of cameras are passed over unread.
  private static let names: [StaticString] = [
    "Orientation", "Image", "Dimension", "Subject", "Region", "Area#", "-gain-map", "Directory",
    "HDRGainMap", "MotionPhoto", "MicroVideo",
  ]

  /// Whether the packet of an XMP segment may have something to read.
  package static func matters(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    // In an encoding of two bytes no name is found; that it is not read is for the reader to say.
    let hasNUL = bytes.firstOffset(of: "\0", in: segment.payload.dropFirst(64)) != nil
    return hasNUL || names.contains { bytes.firstOffset(of: $0, in: segment.payload) != nil }
  }

  /// Reads the packet of an XMP segment.
  package init(_ segment: Segment, _ bytes: Span<UInt8>) throws(XMPError) {
    self.segment = segment
    start = segment.payload.lowerBound + Segment.identifierLength(.xmp)
    packet = try XMPPacket(bytes.bytes(start..<segment.payload.upperBound))
  }

  /// Reads a sidecar file.
  package init(sidecar: [UInt8]) throws(XMPError) {
    segment = nil
    start = 0
    packet = try XMPPacket(sidecar)
  }

  /// A property's new value and the field that it is reported as.
  package struct Value {
    package var property: XMPProperty
    package var value: String
    package var field: String

    package init(_ property: XMPProperty, _ value: String, field: String) {
      self.property = property
      self.value = value
      self.field = field
    }
  }

  /// The properties of this name that describe the picture itself, not a part or an ancestor of it.
  package func own(_ namespace: String, _ name: String) -> [XMPProperty] {
    packet.properties(namespace, name).filter { $0.path.isEmpty && $0.index == nil }
  }

  /// The edits that give properties new values; the packet keeps its length if its padding allows it.
  ///
  /// - Parameters:
  ///   - values: The new values.
  ///   - removed: Elements and attributes of the packet that are taken out, and the fields that they are
  ///     reported as.
  /// - Returns: The edits; nil when the packet would no longer fit into its segment.
  package func edits(
    _ values: [Value],
    removing removed: [(range: Range<Int>, field: String)] = []
  ) -> [Edit]? {
    guard !values.isEmpty || !removed.isEmpty else { return [] }
    let rewrite = packet.replacing(
      values.map { ($0.property, $0.value) },
      removing: removed.map(\.range)
    )
    guard segment == nil || rewrite.bytes.count <= Self.longest else { return nil }
    var edits = rewrite.edits.map { edit in
      let value = values.first { $0.property.valueRange.overlaps(edit.range) }
      let removal = removed.first { $0.range == edit.range && !$0.range.isEmpty }
      let field =
        removal.map { Edit.Field($0.field, new: "removed") }
        ?? Edit.Field(
          value?.field ?? "xmp.padding",
          old: value?.property.value ?? "",
          new: value?.value ?? ""
        )
      return Edit(
        start + edit.range.lowerBound..<start + edit.range.upperBound,
        with: edit.new,
        field: field
      )
    }
    if let segment, !rewrite.lengthKept {
      let length = segment.range.count - 2 + rewrite.bytes.count - packet.bytes.count
      let position = segment.range.lowerBound + 2
      edits.append(
        Edit(
          position..<position + 2,
          with: UInt16(length).bytes(.big),
          field: Edit.Field(
            "xmp.segment-length",
            old: "\(segment.range.count - 2)",
            new: "\(length)"
          )
        )
      )
    }
    return edits
  }
}
