internal import FileBytes
internal import XMPPacket

/// Edits of a packet that must keep its length.
extension XMPBlock {
  /// Returns the edits that set values without another length of the packet; nil if that is not possible.
  ///
  /// Padding compensates for lengths. Without padding, numbers get the decimals for which there is room.
  func fittingEdits(
    _ values: [XMPValue],
    where isFitting: ([Edit]) -> Bool = { $0.totalShift == 0 }
  ) -> [Edit]? {
    let edits = packet.edits(values).map { $0.moved(by: start) }
    if isFitting(edits) { return edits }
    let fitted = values.compactMap { $0.fitted }
    guard fitted.count == values.count else { return nil }
    let shorter = packet.edits(fitted).map { $0.moved(by: start) }
    return isFitting(shorter) ? shorter : nil
  }
}

extension XMPValue {
  /// The value in the length of the old one; nil if its numbers would not be precise.
  fileprivate var fitted: XMPValue? {
    guard property.valueRange.count == property.value.utf8.count else { return nil }
    let (old, new) = (Self.parts(property.value), Self.parts(value))
    guard old.count == new.count else { return nil }
    var result = self
    result.value = ""
    for (before, after) in zip(old, new) {
      if before.isNumber != after.isNumber { return nil }
      if !after.isNumber {
        guard before.text == after.text else { return nil }
        result.value += after.text
      } else if let text = Self.number(after.text, length: before.text.utf8.count) {
        result.value += text
      } else {
        return nil
      }
    }
    return result
  }

  /// Returns the numbers in a text and what is between them.
  private static func parts(_ text: String) -> [(text: String, isNumber: Bool)] {
    var parts: [(text: String, isNumber: Bool)] = []
    for character in text.unicodeScalars {
      let isNumber = ("0"..."9").contains(character) || character == "." || character == "-"
      if let last = parts.indices.last, parts[last].isNumber == isNumber {
        parts[last].text.unicodeScalars.append(character)
      } else {
        parts.append((String(character), isNumber))
      }
    }
    return parts
  }

  /// Returns a number as text of a length; nil if there is no room for enough decimals.
  private static func number(_ text: String, length: Int) -> String? {
    let missing = length - text.utf8.count
    if missing >= 0 {
      let zeros = String(repeating: "0", count: missing)
      if text.contains(".") { return text + zeros }
      return text.first == "-" ? "-" + zeros + text.dropFirst() : zeros + text
    }
    guard let number = Double(text), let point = text.firstIndex(of: ".") else { return nil }
    let decimals = text[point...].utf8.count - 1 + missing
    guard decimals >= 0 else { return nil }
    let short = XMPBlock.text(number, decimals: decimals)
    guard let rounded = Double(short), abs(rounded - number) <= 0.000_05 * max(1, abs(number))
    else {
      return nil
    }
    let rest = length - short.utf8.count
    return rest < 0 ? nil : rest == 0 ? short : self.number(short, length: length)
  }
}
