/// Packets with several documents and padding between them, which XML does not allow.
extension XMPPacket {
  /// Returns the first offset from `position` on that is not padding or a byte order mark.
  static func startOfContent(in bytes: [UInt8], from position: Int) -> Int? {
    var position = position
    while position < bytes.count {
      if bytes[position] == 0 || isXMLSpace(bytes[position]) {
        position += 1
      } else if bytes[position...].starts(with: byteOrderMark) {
        position += byteOrderMark.count
      } else {
        return position
      }
    }
    return nil
  }

  /// Returns whether the bytes that the parser rejected at `offset` may separate two documents.
  static func mayStartPart(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard offset < bytes.count else { return false }
    let rest = bytes[offset...]
    return rest.first == 0 || rest.starts(with: byteOrderMark) || rest.starts(with: "<?xml".utf8)
  }

  /// Returns the range of white space that ends at `end`.
  static func space(in bytes: [UInt8], before end: Int) -> Range<Int> {
    var start = end
    while start > 0, isXMLSpace(bytes[start - 1]) { start -= 1 }
    return start..<end
  }

  /// Returns the range of white space that begins at `start`.
  static func space(in bytes: [UInt8], after start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, isXMLSpace(bytes[end]) { end += 1 }
    return start..<end
  }
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
