internal import JPEGCore

/// A box: a type and the range of its content (ISO/IEC 14496-12, 4.2).
struct Box {
  var type: String
  var content: Range<Int>

  /// Reads the box at `place`; nil if it is not within `range`.
  init?(_ bytes: Span<UInt8>, at place: Int, in range: Range<Int>, mayBeCut: Bool = false) {
    guard place + 8 <= range.upperBound, let size = bytes.uint32(at: place) else { return nil }
    type = bytes.fourCharacters(at: place + 4)
    var header = 8
    var end = place + Int(size)
    switch size {
    case 0: end = range.upperBound
    case 1:
      guard let high = bytes.uint32(at: place + 8), let low = bytes.uint32(at: place + 12),
        high < 1 << 30
      else { return nil }
      header = 16
      end = place + (Int(high) << 32 | Int(low))
    default: break
    }
    guard end >= place + header, mayBeCut || end <= range.upperBound else { return nil }
    content = place + header..<end
  }

  /// Returns the consecutive boxes of a range.
  static func boxes(_ bytes: Span<UInt8>, in range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var place = range.lowerBound
    while boxes.count < 10_000, let box = Box(bytes, at: place, in: range) {
      boxes.append(box)
      place = box.content.upperBound
    }
    return boxes
  }
}

extension Span<UInt8> {
  /// Returns four bytes as Latin-1 characters; fewer at the end of the bytes.
  func fourCharacters(at offset: Int) -> String {
    String(
      String.UnicodeScalarView(bytes(offset..<offset + 4).map { Unicode.Scalar($0) })
    )
  }
}
