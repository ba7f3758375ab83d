extension XMPPacket {
  /// Replaces values in the packet's bytes and keeps every other byte.
  ///
  /// The values are escaped as XML needs; a character that XML cannot express becomes U+FFFD. Where
  /// they are longer or shorter than the raw text they replace, the padding before the
  /// packet's `<?xpacket end` gives or takes white space, so that the packet keeps its length
  /// (specification, section 4). Without enough padding the packet grows. A read-only packet, `end="r"`, is
  /// edited in the same way. An element's comments and CDATA sections are part of the text that is
  /// replaced. A value that is already there is no edit; if a property is named twice, the last
  /// value counts. What is removed makes room in the same way.
  ///
  /// - Parameters:
  ///   - edits: Properties of this packet and their new values.
  ///   - removed: The ranges of the elements or attributes to remove; none overlaps another.
  /// - Returns: The packet's new bytes and the list of what changed.
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
      changes += compensation(for: growth, in: document.padding)
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

  /// The range of an attribute, with the white space before it; nil where the property is none.
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

  /// The change of padding that makes up for `growth` bytes, as far as there is white space.
  ///
  /// The line end that sets `<?xpacket end` apart is taken last.
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

/// The text that XML reads as `value`, in an attribute of either quote as well as in an element.
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
