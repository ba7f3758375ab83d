internal import FileBytes
internal import ImageOrientation

/// A world file, which places a photo on a map: six numbers, one in a line.
///
/// They are the entries of an affine mapping from columns and rows, counted between the centers of pixels of the stored image,
/// to coordinates: of the column in x and in y, of the row in x and in y, and the coordinates of the first pixel's center (Esri).
package struct WorldFile: Sendable {
  private let bytes: [UInt8]
  private let numbers: [(range: Range<Int>, text: String, value: Double)]

  /// The least number that is too large for a world file.
  private static let limit = 1e15

  /// Reads a world file.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``UprightError`` of code `malformed`, if it has other lines than those of six numbers.
  package init(_ bytes: [UInt8]) throws(UprightError) {
    var numbers: [(range: Range<Int>, text: String, value: Double)] = []
    var position = 0
    while position < bytes.count, bytes.count < 4096 {
      let isSpace = bytes[position] <= 0x20
      let change = bytes[position...].firstIndex { (byte: UInt8) -> Bool in
        (byte <= 0x20) != isSpace
      }
      let end = change ?? bytes.count
      if !isSpace {
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        guard let value = Double(text), abs(value) < Self.limit else { break }
        numbers.append((position..<end, text, value))
      }
      position = end
    }
    guard numbers.count == 6, position == bytes.count else {
      throw UprightError(.malformed, "the world file does not have six numbers")
    }
    (self.bytes, self.numbers) = (bytes, numbers)
  }

  /// Returns the world file that places the image after a plan where it was.
  ///
  /// - Returns: The new file, or nil if it needs no change.
  /// - Throws: ``UprightError`` of code `malformed`, if the new numbers would be too large for a world file.
  package func normalized(for plan: Plan) throws(UprightError) -> Sidecar.Update? {
    guard case .transform(let transform, let edges) = plan.action else { return nil }
    let geometry = RegionGeometry(plan, transform, edges)
    // The column and the row of the stored image that a pixel of the new one comes from.
    let size = geometry.new
    let source = transform.inverse.matrix(of: ImageSize(width: size.width, height: size.height))
    let origin = source.applied(to: ImagePoint(x: 0, y: 0))
    let far = source.applied(to: ImagePoint(x: 1, y: 1))
    let column = min(origin.x, far.x) + geometry.window.x
    let row = min(origin.y, far.y) + geometry.window.y
    var texts: [String] = []
    for (x, y) in [(source.a, source.b), (source.c, source.d)] {
      for axis in 0..<2 { texts.append(text(x, of: axis, y, of: axis + 2)) }
    }
    for axis in 0..<2 { texts.append(try moved(axis, column, row)) }
    let edits = zip(numbers, texts).enumerated().compactMap { index, pair -> Edit? in
      let (number, text) = pair
      guard text != number.text else { return nil }
      let field = Edit.Field("world-file.\(index)", old: number.text, new: text)
      return Edit(number.range, with: Array(text.utf8), field: field)
    }
    return edits.isEmpty ? nil : Sidecar.Update(bytes, edits)
  }

  /// Returns the sum of two numbers, of which one has the factor 0 and the other one 1 or -1.
  private func text(_ x: Int, of first: Int, _ y: Int, of second: Int) -> String {
    let (factor, text) = x == 0 ? (y, numbers[second].text) : (x, numbers[first].text)
    return factor < 0 ? text.negated : text
  }

  /// Returns a coordinate of the center of the pixel in a column and a row, with the decimals of the numbers.
  private func moved(_ axis: Int, _ column: Int, _ row: Int) throws(UprightError) -> String {
    var (value, decimals) = (numbers[4 + axis].value, decimals(of: 4 + axis))
    for (index, count) in [(axis, column), (axis + 2, row)] where count != 0 {
      value += numbers[index].value * Double(count)
      if numbers[index].value != 0 { decimals = max(decimals, self.decimals(of: index)) }
    }
    if value == numbers[4 + axis].value { return numbers[4 + axis].text }
    guard abs(value) < Self.limit else {
      throw UprightError(
        .malformed,
        "the world file cannot be updated, because a coordinate would be 10^15 or more"
      )
    }
    return XMPBlock.text(value, decimals: decimals)
  }

  private func decimals(of index: Int) -> Int {
    let text = numbers[index].text
    guard !text.contains("e"), !text.contains("E") else { return 12 }
    return text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count
      ?? 0
  }
}
