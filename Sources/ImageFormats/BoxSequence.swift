internal import FileBytes
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

extension BoxSequence {
  /// Returns whether the box `mdia` of a track says that the track is a video, and not a sequence of images or sound.
  static func isVideo<Failure>(
    _ media: Box,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> Bool {
    var isVideo = false
    var parts = BoxSequence(media.content)
    while let part = try parts.next(&file) {
      guard part.type == "hdlr" else { continue }
      let handler = try file.bytes(part.content.prefix(12))
      isVideo = handler.span.hasPrefix("vide", at: 8)
    }
    return isVideo
  }
}

extension FormatHeader {
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
