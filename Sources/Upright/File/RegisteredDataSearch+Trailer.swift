internal import FileBytes
internal import JPEGCore

/// Data after the image.
extension RegisteredDataSearch {
  mutating func searchTrailer(_ photo: JPEGPhoto) throws(Photo.Need) {
    let size = photo.size ?? photo.bytes.count
    let start = max(header.container.end, size - Self.tailLength)
    guard start < size else { return }
    let tail = try photo.read(start, size - start)
    let endsWithEOI = tail.span.uint16(at: tail.count - 2) == 0xFFD9
    let blocks = try samsungBlocks(size, tail, photo)
    for row in Reference.rows(in: .trailer) {
      switch row.place {
      case .end(let mark)
      where tail.span.hasPrefix(mark, at: tail.count - mark.utf8CodeUnitCount):
        add(row, at: size - mark.utf8CodeUnitCount)
      case .samsungBlock(let types):
        for type in types {
          if let block = blocks.first(where: { $0.type == type }) { add(row, at: block.offset) }
        }
      case .trailer(let mark, let makes) where !endsWithEOI && isMade(by: makes, photo.bytes.span):
        if let offset = try photo.offset(of: mark, in: header.container.end..<size) {
          add(row, at: offset)
        }
      default: break
      }
    }
  }

  /// Searches the records of trailers for edits.
  mutating func searchRecords(_ photo: JPEGPhoto, _ size: Int) throws(Photo.Need) {
    let trailers = try Trailers(in: min(header.container.end, size)..<size) {
      (offset, count) throws(Photo.Need) in try photo.read(offset, count)
    }
    for record in trailers.records {
      // Longer ones have previews after the edits.
      let content = try photo.read(
        record.content.lowerBound,
        min(record.content.count, Self.maxRecord)
      )
      for row in Reference.rows(in: .trailer) {
        guard case .record(record.kind, let isMeant) = row.place, isMeant(content.span) else {
          continue
        }
        add(row, at: record.content.lowerBound)
      }
    }
  }

  /// The maximum number of bytes of a trailer's record that are read.
  private static let maxRecord = 16 << 20
  /// The number of bytes at the end of a file that are read to recognize its trailer.
  private static let tailLength = 64

  /// Returns the type and the offset of each block in Samsung's trailer.
  ///
  /// The directory, from SEFH to its length and SEFT, ends the file, except for a block whose length and name are before
  /// its end, too.
  private func samsungBlocks(
    _ size: Int,
    _ tail: [UInt8],
    _ photo: JPEGPhoto
  ) throws(Photo.Need) -> [(type: UInt16, offset: Int)] {
    var end = size - (tail.span.hasPrefix("QDIOBS", at: tail.count - 6) ? 2 : 0)
    guard tail.span.hasPrefix("SEFT", at: tail.count - 4) || end < size else { return [] }
    for _ in 0..<4 {
      guard end - 8 > header.container.end else { return [] }
      let footer = try photo.read(end - 8, 8)
      guard let length = footer.span.uint32(at: 0, .little), (4..<0x10000).contains(length),
        end - 8 - Int(length) > header.container.end
      else { return [] }
      let start = end - 8 - Int(length)
      guard footer.span.hasPrefix("SEFT", at: 4) else {
        end = start
        continue
      }
      let directory = try photo.read(start, Int(length))
      return Self.samsungBlocks(directory.span, start)
    }
    return []
  }

  private static func samsungBlocks(
    _ directory: Span<UInt8>,
    _ start: Int
  ) -> [(type: UInt16, offset: Int)] {
    guard directory.hasPrefix("SEFH"), let count = directory.uint32(at: 8, .little) else {
      return []
    }
    var blocks: [(type: UInt16, offset: Int)] = []
    for number in 0..<min(count.length, directory.count / 12) {
      let entry = 12 + 12 * number
      guard let type = directory.uint16(at: entry + 2, .little),
        let distance = directory.uint32(at: entry + 4, .little)?.length, distance <= start
      else { break }
      blocks.append((type, start - distance))
    }
    return blocks
  }
}
