package import FileBytes
package import JPEGCore
package import XMPPacket

/// An XMP packet of a file, with its position.
package struct XMPBlock: Sendable {
  /// The APP1 segment that contains the packet; nil for a packet by itself.
  package let segment: Segment?
  package let packet: XMPPacket
  /// The offset of the packet in the file.
  package let start: Int

  private static let maxLength = 65_533 - Segment.identifierLength(.xmp)

  /// Parts of names that a packet must contain to be relevant for a rewrite, in any namespace and spelling.
  ///
  /// Most packets of cameras contain none and are not parsed.
  private static let names: [StaticString] =
    describingNames + [
      "Orientation", "Image", "Dimension", "Subject", "HasExtendedXMP",
    ] + Reference.movingMarks

  /// Parts of names of positions in the image.
  static let positionMarks: [StaticString] = ["Region", "Area#", "Subject"] + Reference.movingMarks

  /// The names that describe embedded images, videos or regions.
  private static let describingNames: [StaticString] = [
    "Region", "Area#", "-gain-map", "Directory", "HDRGainMap", "MotionPhoto", "MicroVideo",
  ]

  /// Returns whether the packet of an XMP segment may have properties that a rewrite reads or changes.
  package static func matters(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    hasNUL(segment, bytes) || has(names, segment, bytes)
  }

  /// Returns whether the packet of an XMP segment may describe embedded images, videos or regions.
  static func describes(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    has(describingNames, segment, bytes)
  }

  /// Returns the values of Orientation in the packet of an XMP segment; nil if it must be parsed, because they differ
  /// from Exif's or, without one in Exif, are not all 1.
  static func settledOrientations(
    _ segment: Segment,
    beside values: [Int64]?,
    _ bytes: Span<UInt8>
  ) -> [Int64]? {
    guard !hasNUL(segment, bytes), let own = plainOrientations(segment, bytes), let values else {
      return nil
    }
    let value = values.first ?? 1
    return own.allSatisfy { $0 == value } ? own : nil
  }

  /// Returns the digits of `tiff:Orientation` in the spelling of most programs; nil if the name occurs in another
  /// spelling.
  static func plainOrientations(_ segment: Segment, _ bytes: Span<UInt8>) -> [Int64]? {
    var values: [Int64] = []
    var position = segment.payload.lowerBound
    let end = segment.payload.upperBound
    while let hit = bytes.firstOffset(of: "Orientation", in: position..<end) {
      position = hit + 11
      if bytes.hasPrefix("</tiff:", at: hit - 7) { continue }
      guard bytes.hasPrefix("tiff:", at: hit - 5), end - position >= 4 else { return nil }
      var place = position
      switch bytes[place] {
      case UInt8(ascii: ">"): place += 1
      case UInt8(ascii: "=") where bytes[place + 1] == bytes[place + 3]: place += 2
      default: return nil
      }
      let closing = bytes[place + 1]
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]),
        closing == UInt8(ascii: "\"") || closing == UInt8(ascii: "'")
          || closing == UInt8(ascii: "<")
      else { return nil }
      values.append(Int64(bytes[place] - UInt8(ascii: "0")))
    }
    return values
  }

  static func has(_ names: [StaticString], _ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    names.contains { bytes.firstOffset(of: $0, in: segment.payload) != nil }
  }

  /// Returns whether the packet is in UTF-16 or UTF-32, where no name is found; the parser reports it.
  private static func hasNUL(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    let start = segment.payload.dropFirst(Segment.identifierLength(.xmp)).prefix(64)
    return bytes.firstOffset(of: "\0", in: start) != nil
  }

  /// Reads the packet of an XMP segment.
  package init(_ segment: Segment, _ bytes: Span<UInt8>) throws(XMPError) {
    self.segment = segment
    start = segment.payload.lowerBound + Segment.identifierLength(.xmp)
    packet = try XMPPacket(bytes.bytes(start..<segment.payload.upperBound))
  }

  /// A packet by itself, such as a sidecar file, or one at an offset of a file of another format.
  package init(_ packet: XMPPacket, at start: Int = 0) {
    (segment, self.start, self.packet) = (nil, start, packet)
  }

  /// Returns the properties of this name that describe the image itself, not a part or an ancestor of it.
  package func own(_ namespace: String, _ name: String) -> [XMPProperty] {
    packet.properties(namespace, name).filter { $0.path.isEmpty && $0.index == nil }
  }

  /// Returns the edits that set properties; nil if the packet would no longer fit into its segment.
  package func edits(
    _ values: [XMPValue],
    removing removed: [(range: Range<Int>, field: String)] = []
  ) -> [Edit]? {
    guard !values.isEmpty || !removed.isEmpty else { return [] }
    let edits = packet.edits(values, removing: removed).map { $0.moved(by: start) }
    let growth = edits.totalShift
    guard let segment else { return edits }
    guard packet.bytes.count + growth <= Self.maxLength else { return nil }
    return edits
      + (growth == 0 ? [] : [segment.lengthEdit(growingBy: growth, field: "xmp.segment-length")])
  }
}
