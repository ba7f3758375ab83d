/// Packets with several documents and padding between them, which XML does not allow.
extension XMPPacket {
  /// Returns the first offset from `position` on that is not padding or a byte order mark.
  static func startOfContent(in bytes: [UInt8], from position: Int) -> Int? {
    let span = bytes.span
    var position = position
    while position < span.count {
      if isXMLSpace(span[position]) || span[position] == 0 {
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

  /// Returns the white space before `<?xpacket end`, or after the root element if that is missing.
  func padding(of document: Document) -> Range<Int> {
    if let end = document.packetEnd {
      var start = end
      while start > 0, isXMLSpace(bytes[start - 1]) { start -= 1 }
      return start..<end
    }
    var end = document.end
    while end < bytes.count, isXMLSpace(bytes[end]) { end += 1 }
    return document.end..<end
  }
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
