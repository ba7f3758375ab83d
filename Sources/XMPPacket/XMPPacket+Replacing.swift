package import FileBytes

extension XMPPacket {
  /// Returns the edits of the packet that replace values and remove parts, each with its field, and keep all other bytes.
  ///
  /// Values are escaped; a character that XML cannot represent becomes U+FFFD. If a value is longer or shorter than the
  /// raw text that it replaces, the padding before `<?xpacket end` shrinks or grows to keep the packet's length
  /// (specification, section 4). Without enough padding the packet grows. A read-only packet, `end="r"`, is edited in
  /// the same way. Comments and CDATA sections of an element are part of the replaced text. A value that is already
  /// present is not an edit; of several values for one property, the last one counts. Removals are also compensated by
  /// padding.
  package func edits(
    _ values: [XMPValue],
    removing removed: [(range: Range<Int>, field: String)] = []
  ) -> [Edit] {
    // Each property has a place of its own.
    var places: [Int: Int] = [:]
    for (index, property) in properties.enumerated() where !values.isEmpty {
      places[property.valueRange.lowerBound] = index
    }
    var latest: [Int: XMPValue] = [:]
    for value in values {
      let place = value.property.valueRange.lowerBound
      let own = places[place].map { properties[$0] }
      precondition(own == value.property, "the property is not of this packet")
      latest[place] = value
    }
    let removals = OverlapCounter(removed.map { $0.range })
    var edits = removed.map {
      Edit($0.range, with: [], field: Edit.Field($0.field, new: "removed"))
    }
    for value in latest.values {
      let (range, old) = (value.property.valueRange, value.property.value)
      guard value.value != old, removals.count(range) == 0 else { continue }
      let field = Edit.Field(value.field, old: old, new: value.value)
      edits.append(Edit(range, with: escaped(value.value), field: field))
    }
    var padding: [Edit] = []
    var start = 0
    for document in documents {
      let growth = edits.filter { (start..<document.end).contains($0.range.lowerBound) }.totalShift
      padding += compensation(for: growth, in: self.padding(of: document))
      start = document.end
    }
    return (edits + padding).inOrder
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
  private func compensation(for growth: Int, in padding: Range<Int>) -> [Edit] {
    var end = padding.upperBound
    while end > padding.lowerBound, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    let field = Edit.Field("xmp.padding")
    if growth < 0 {
      return [Edit(end..<end, with: Array(repeating: 0x20, count: -growth), field: field)]
    }
    if end - padding.lowerBound < growth {
      end = min(padding.lowerBound + growth, padding.upperBound)
    }
    let taken = max(end - growth, padding.lowerBound)..<end
    return taken.isEmpty ? [] : [Edit(taken, with: [], field: field)]
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
