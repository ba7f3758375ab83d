internal import FileBytes

/// Fill bytes before EOI, which keep the data after an image in its place (T.81, B.1.1.2).
extension [Edit] {
  /// Lets the fill bytes before the offset of EOI compensate a change of the length, if they can: adds some, or removes
  /// some of those that were added.
  mutating func compensate(_ shift: Int, before end: Int) {
    let isFill = { (edit: Edit) in edit.field.identifier == "fill" && edit.range == end..<end }
    let count = (first(where: isFill)?.replacement.count ?? 0) - shift
    guard shift != 0, count >= 0 else { return }
    removeAll(where: isFill)
    guard count > 0 else { return }
    let fill = [UInt8](repeating: 0xFF, count: count)
    append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
  }
}
