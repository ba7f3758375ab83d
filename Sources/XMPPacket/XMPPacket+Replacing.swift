extension XMPPacket {
  /// Replaces values in the packet's bytes and keeps all other bytes.
  ///
  /// Values are escaped; a character that XML cannot represent becomes U+FFFD. If a value is longer or shorter than the
  /// raw text that it replaces, the padding before `<?xpacket end` shrinks or grows to keep the packet's length
  /// (specification, section 4). Without enough padding the packet grows. A read-only packet, `end="r"`, is edited in
  /// the same way. Comments and CDATA sections of an element are part of the replaced text. A value that is already
  /// present is not an edit; of several values for one property, the last one counts. Removals are also compensated by
  /// padding.
  package func replacing(
    _ edits: [(property: XMPProperty, value: String)],
    removing removed: [Range<Int>] = []
  ) -> XMPRewrite {
    var latest: [Int: (property: XMPProperty, value: String)] = [:]
    for edit in edits {
      precondition(properties.contains(edit.property), "the property is not of this packet")
      latest[edit.property.valueRange.lowerBound] = edit
    }
    var changes: [XMPEdit] = []
    for range in removed {
      changes.append(XMPEdit(offset: range.lowerBound, old: Array(bytes[range]), new: []))
    }
    for (property, value) in latest.values
    where value != property.value && !removed.contains(where: { $0.overlaps(property.valueRange) })
    {
      changes.append(
        XMPEdit(
          offset: property.valueRange.lowerBound,
          old: Array(bytes[property.valueRange]),
          new: escaped(value)
        )
      )
    }
    let valueChanges = changes
    var start = 0
    for document in documents {
      let growth = valueChanges.lazy.filter { (start..<document.end).contains($0.offset) }
        .reduce(0) { $0 + $1.new.count - $1.old.count }
      changes += compensation(for: growth, in: padding(of: document))
      start = document.end
    }
    changes.sort { $0.offset < $1.offset }
    let result = applying(changes)
    return XMPRewrite(
      bytes: result,
      edits: changes,
      lengthKept: result.count == bytes.count
    )
  }

  /// Returns the range of an attribute with the white space before it; nil if the property is not an attribute.
  package func attributeRange(of property: XMPProperty) -> Range<Int>? {
    guard property.form == .attribute else { return nil }
    var (start, end) = (property.valueRange.lowerBound, property.valueRange.upperBound)
    while start > 0, ![0x22, 0x27].contains(bytes[start - 1]) { start -= 1 }
    guard start > 0 else { return nil }
    let quote = bytes[start - 1]
    while end < bytes.count, bytes[end] != quote { end += 1 }
    guard end < bytes.count else { return nil }
    start -= 1
    while start > 0, isXMLSpace(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "=") {
      start -= 1
    }
    while start > 0, !isXMLSpace(bytes[start - 1]) { start -= 1 }
    while start > 0, isXMLSpace(bytes[start - 1]) { start -= 1 }
    return start..<end + 1
  }

  /// Returns the change of padding that compensates for `growth` bytes, as far as there is white space.
  ///
  /// The line end before `<?xpacket end` is used last.
  private func compensation(for growth: Int, in padding: Range<Int>) -> [XMPEdit] {
    var end = padding.upperBound
    while end > padding.lowerBound, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    if growth < 0 {
      return [XMPEdit(offset: end, old: [], new: Array(repeating: 0x20, count: -growth))]
    }
    if end - padding.lowerBound < growth {
      end = min(padding.lowerBound + growth, padding.upperBound)
    }
    let taken = max(end - growth, padding.lowerBound)..<end
    return growth == 0 || taken.isEmpty
      ? [] : [XMPEdit(offset: taken.lowerBound, old: Array(bytes[taken]), new: [])]
  }

  private func applying(_ edits: [XMPEdit]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.offset]
      result += edit.new
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }
}

/// Returns the value, escaped for attributes with either quote and for elements.
private func escaped(_ value: String) -> [UInt8] {
  var result = ""
  for scalar in value.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&apos;"
    case "\t", "\n", "\r": result += "&#\(scalar.value);"
    case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return Array(result.utf8)
}
