internal import ISOBMFF

/// The boxes in a part of a file, of which only the headers are read.
struct BoxSequence {
  private var position: Int
  private let end: Int
  private var count = 0

  /// The maximum number of boxes.
  private static let maxCount = 65536

  /// Creates the boxes of a range: the file, or the content of a box.
  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  /// Returns the next box; nil at the end, before which QuickTime has up to seven bytes that are no box.
  mutating func next<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> Box? {
    guard end - position >= 8 else { return nil }
    count += 1
    guard count <= Self.maxCount else {
      throw .content(.limit(at: position, "there are more than \(Self.maxCount) boxes"))
    }
    let box = try file.box(at: position).box
    guard box.range.upperBound <= end else {
      let text = "the box \(box.type) ends after the box around it"
      throw .content(.malformed(at: position, text))
    }
    position = box.range.upperBound
    return box
  }
}

extension ImageFacts {
  /// The type of Adobe's box `uuid` with XMP (XMP specification, part 3, 1.1.10).
  private static let xmpBox: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  /// Adds the XMP packet of a box `uuid`, if it has one.
  mutating func readXMP<Failure>(
    _ box: Box,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    guard try file.bytes(box.userType) == Self.xmpBox else { return }
    xmp.append(MetadataPart(try file.bytes(box.content), at: box.content.lowerBound))
  }
}
