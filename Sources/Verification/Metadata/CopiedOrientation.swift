internal import FileBytes
internal import Upright

/// Orientation in places that are compared as bytes, found by the spelling of its value and not by the structure around
/// it, so that an error of the rewriter's reading is seen.
struct CopiedOrientation {
  /// Where the bytes of the value are.
  let range: Range<Int>
  let value: Int

  /// The names before a value in text, with the values that display the image as it is stored.
  private static let names: [(name: StaticString, neutral: Int)] = [
    ("tiff:Orientation", 1), ("\nRotation", 0),
  ]

  /// Returns what may be an Orientation in a range: `tiff:Orientation="6"` and other spellings, or an entry of Exif with
  /// one SHORT.
  static func find(_ bytes: Span<UInt8>, in range: Range<Int>) -> [CopiedOrientation] {
    var found: [CopiedOrientation] = []
    for (name, neutral) in names {
      var position = range.lowerBound
      while let hit = bytes.firstOffset(of: name, in: position..<range.upperBound) {
        position = hit + name.utf8CodeUnitCount
        var start = position
        let isSeparator: (UInt8) -> Bool = { Array("=\"'> \n".utf8).contains($0) }
        while start < range.upperBound, isSeparator(bytes[start]) { start += 1 }
        var end = start
        while end < range.upperBound, (0x30...0x39).contains(bytes[end]) { end += 1 }
        guard start > position, start < end,
          let number = Int(String(decoding: bytes.bytes(start..<end), as: UTF8.self))
        else { continue }
        found.append(CopiedOrientation(range: start..<end, value: number == neutral ? 1 : number))
      }
    }
    for (entry, order) in [
      ("\u{1}\u{12}\0\u{3}\0\0\0\u{1}", ByteOrder.big),
      ("\u{12}\u{1}\u{3}\0\u{1}\0\0\0", .little),
    ] as [(StaticString, ByteOrder)] {
      var position = range.lowerBound
      while let hit = bytes.firstOffset(of: entry, in: position..<range.upperBound) {
        position = hit + 8
        guard position + 2 <= range.upperBound, let value = bytes.uint16(at: position, order)
        else { continue }
        found.append(CopiedOrientation(range: position..<position + 2, value: Int(value)))
      }
    }
    return found
  }
}

extension ComparedFiles {
  /// Returns what differs in parts of the files if that is only Orientation, which became 1, and `others`; nil if other
  /// bytes differ.
  func compareCopies(
    _ a: Range<Int>,
    _ b: Range<Int>,
    _ name: String,
    others: [ExpectedChange] = []
  ) -> [Observation]? {
    guard a.count == b.count else { return nil }
    let shift = b.lowerBound - a.lowerBound
    var copies: [Int: CopiedOrientation] = [:]
    for copy in CopiedOrientation.find(result.span, in: b).reversed() {
      copies[copy.range.lowerBound] = copy
    }
    let changes =
      others
      + CopiedOrientation.find(original.span, in: a).compactMap { copy in
        guard let new = copies[copy.range.lowerBound + shift], new.value == 1,
          new.range.count == copy.range.count
        else { return nil }
        return ExpectedChange(
          range: copy.range,
          new: result.span.bytes(new.range),
          field: "\(name).orientation",
          texts: ("\(copy.value)", "1")
        )
      }
    var position = a.lowerBound
    var observations: [Observation] = []
    for change in changes.inFileOrder({ $0.range }) {
      let other = change.range.lowerBound + shift..<change.range.upperBound + shift
      guard position <= change.range.lowerBound, !isEqual(change.range, other) else { continue }
      let same = position..<change.range.lowerBound
      guard isEqual(same, same.lowerBound + shift..<same.upperBound + shift),
        result.span.bytes(other) == change.new
      else { return nil }
      let (old, new) = change.texts
      observations.append(.difference(change.field, change.range, other, old: old, new: new))
      position = change.range.upperBound
    }
    let rest = position..<a.upperBound
    return isEqual(rest, rest.lowerBound + shift..<rest.upperBound + shift) ? observations : nil
  }

  /// Returns notes on values in a part of the result that are not 1.
  func staleCopies(_ range: Range<Int>, _ name: String) -> [Observation] {
    CopiedOrientation.find(result.span, in: range).filter { $0.value > 1 }.map {
      .note(
        .orientationCopy,
        "a copy of Orientation in \(name) is \($0.value); readers that apply it rotate the image again",
        result: $0.range.lowerBound
      )
    }
  }
}
