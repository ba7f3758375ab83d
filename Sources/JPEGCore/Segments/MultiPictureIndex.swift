/// The index of a multi-picture file: the APP2 segment of CIPA DC-007.
package struct MultiPictureIndex: Sendable {
  /// How many pictures the file holds, the primary included.
  package var count: Int

  private static let entryTag: UInt16 = 0xB002

  /// Reads the first MPF segment; nil where there is none that can be read.
  package init?(_ container: Container, _ bytes: Span<UInt8>) {
    guard let segment = container.segments(.multiPicture, in: bytes).first else { return nil }
    let start = segment.payload.lowerBound + Segment.identifierLength(.multiPicture)
    guard let block = TIFFBlock(bytes, in: start..<segment.payload.upperBound),
      let entries = block.entries(.ifd0, Self.entryTag).first?.value
    else { return nil }
    count = entries.count / 16
  }
}
