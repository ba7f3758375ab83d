internal import FileBytes
internal import JPEGCore

/// An opened JPEG file: its bytes as far as they were read, and what they contain.
///
/// It reads nothing itself. Work on it that needs more of the file returns ``Photo/Step/needs(_:)``.
package struct JPEGPhoto: Sendable {
  /// The file, or its beginning with everything before the first scan.
  package private(set) var bytes: [UInt8]
  /// The file's size in bytes, or nil if it is unknown; then nothing after ``bytes`` is read.
  package let size: Int?
  package private(set) var header: Header
  let thumbnails: [Thumbnail]
  private var parts: [(range: Range<Int>, bytes: [UInt8])] = []
  /// The marks that were searched for, with their offsets.
  private var marks: [(name: String, offset: Int?)] = []

  init(_ bytes: [UInt8], size: Int?, _ header: Header) {
    self.bytes = bytes
    self.size = size
    self.header = header
    thumbnails = header.thumbnails(bytes.span)
  }

  package var image: ImageInfo { ImageInfo(header.frame, header.orientation.stated) }

  /// Whether ``bytes`` are all that can be read.
  private var isWhole: Bool { size.map { bytes.count >= $0 } ?? true }

  /// Returns up to `count` bytes from an offset; fewer only at the end of the file.
  func read(_ offset: Int, _ count: Int) throws(Photo.Need) -> [UInt8] {
    let range = offset..<max(offset, min(offset + count, size ?? bytes.count))
    if range.upperBound <= bytes.count || isWhole {
      return Array(bytes.dropFirst(offset).prefix(count))
    }
    guard
      let part = parts.first(where: {
        $0.range.lowerBound <= range.lowerBound && range.upperBound <= $0.range.upperBound
      })
    else { throw .bytes(range) }
    return Array(part.bytes.dropFirst(range.lowerBound - part.range.lowerBound).prefix(range.count))
  }

  /// Returns the offset of the first occurrence of a mark in a range, or nil if there is none.
  func offset(of mark: StaticString, in range: Range<Int>) throws(Photo.Need) -> Int? {
    if isWhole {
      let range = range.clamped(to: bytes.indices)
      return range.isEmpty ? nil : bytes.span.firstOffset(of: mark, in: range)
    }
    guard let known = marks.first(where: { $0.name == "\(mark)" }) else {
      throw .mark(mark, in: range)
    }
    return known.offset
  }

  /// Adds a part of the file; it has fewer bytes than the range only at the end of the file.
  mutating func add(_ part: [UInt8], of range: Range<Int>) { parts.append((range, part)) }

  mutating func add(_ mark: StaticString, at offset: Int?) { marks.append(("\(mark)", offset)) }

  /// Whether the file holds the data to undo its last rewrite.
  package var holdsUndoData: Bool { !header.undoSegments(bytes.span).isEmpty }

  /// Reads all XMP packets that a rewrite reads or changes.
  mutating func readAllXMP() { header = header.withAllXMP(bytes.span) }

  /// Returns the header with all XMP packets that a rewrite reads or changes.
  mutating func headerWithAllXMP() -> Header {
    let all = header.withAllXMP(bytes.span)
    header.adoptPackets(of: all)
    return all
  }

  mutating func xmp(where isRequested: (Segment) -> Bool) -> [XMPBlock] {
    let bytes = bytes
    return header.xmp(bytes.span, where: isRequested)
  }

  /// Returns the packet of an XMP segment; nil if it cannot be read.
  mutating func packet(_ segment: Segment) -> XMPBlock? {
    let bytes = bytes
    return try? header.packet(segment, bytes.span)
  }

  /// Returns the photo with the rest of its file; nil if it is not the beginning of this file.
  package func completed(with file: [UInt8]) throws(UprightError) -> JPEGPhoto? {
    guard file.count == size ?? file.count, bytes.count <= file.count,
      bytes.equals(file, in: bytes.indices)
    else { return nil }
    var photo = self
    photo.bytes = file
    try photo.readRest()
    return photo
  }

  mutating func readRest() throws(UprightError) {
    let container = try container(of: bytes.span)
    header.container = container
  }

  /// Returns the structure of the whole file, of which this is the beginning.
  private func container(of file: Span<UInt8>) throws(UprightError) -> Container {
    // That of the header alone has no scans.
    guard header.container.scans.isEmpty else { return header.container }
    do throws(ContainerError) {
      return try header.container.completed(file)
    } catch { throw UprightError(error) }
  }

  /// The end of the primary image; nil if it is damaged or has no EOI, or if ``bytes`` are not the whole file.
  package var endOfImage: Int? {
    guard isWhole, let container = try? container(of: bytes.span) else {
      return nil
    }
    return container.isComplete ? container.end : nil
  }
}
