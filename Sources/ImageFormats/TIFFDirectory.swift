package import ImageOrientation
package import JPEGCore

/// A directory of a TIFF or BigTIFF file, whose Orientation can be changed in place (TIFF 6.0, section 2).
package struct TIFFDirectory: Sendable {
  /// The number of entries, the entries, and the offset of the next directory.
  private let bytes: [UInt8]
  private let start: Int
  private let order: ByteOrder
  private let isBig: Bool
  private let count: Int

  private var countSize: Int { isBig ? 8 : 2 }
  private var entrySize: Int { isBig ? 20 : 12 }
  /// The offset of the value in an entry.
  private var valueOffset: Int { isBig ? 12 : 8 }

  /// Returns the size of an offset.
  static func offsetSize(_ isBig: Bool) -> Int { isBig ? 8 : 4 }

  /// Creates the directory at an offset of the file; nil if it is cut off.
  init?(_ bytes: [UInt8], at start: Int, _ order: ByteOrder, _ isBig: Bool, count: Int) {
    (self.bytes, self.start, self.order, self.isBig) = (bytes, start, order, isBig)
    self.count = count
    guard bytes.count == end + Self.offsetSize(isBig) else { return nil }
  }

  /// Where the entries end.
  private var end: Int { countSize + count * entrySize }

  /// Whether another directory follows, with an Orientation of its own.
  package var hasNext: Bool { bytes[end...].contains { $0 != 0 } }

  private func tag(_ place: Int) -> UInt16? { bytes.span.uint16(at: place, order) }

  /// The offsets of the entries.
  private var places: [Int] { Array(stride(from: countSize, to: end, by: entrySize)) }

  /// Returns the edits that set every Orientation, or remove it.
  ///
  /// A removal moves the entries after it and the offset of the next directory; the freed bytes become zero.
  ///
  /// - Returns: The edits, without any if nothing changes; nil if an entry is no single integer, or if the directory shares
  ///   its bytes with a value.
  package func edits(to orientation: Orientation?) -> [Edit]? {
    let own = places.filter { tag($0) == ExifTag.orientation }
    guard let orientation else { return own.isEmpty ? [] : removal(of: own) }
    var edits: [Edit] = []
    for place in own {
      guard let old = value(at: place) else { return nil }
      let range = place + valueOffset..<place + valueOffset + old.size
      var new = [UInt8](repeating: 0, count: old.size)
      new[order == .big ? old.size - 1 : 0] = UInt8(orientation.rawValue)
      guard old.value != orientation.rawValue else { continue }
      edits.append(edit(range, new, Self.field, "\(old.value)", "\(orientation.rawValue)"))
    }
    return edits
  }

  private static let field = "exif.ifd0.orientation"

  private func edit(
    _ range: Range<Int>,
    _ new: [UInt8],
    _ field: String,
    _ old: String,
    _ text: String
  ) -> Edit {
    Edit(
      start + range.lowerBound..<start + range.upperBound,
      with: new,
      field: Edit.Field(field, old: old, new: text)
    )
  }

  /// Returns the value of an entry of one integer, and its size in bytes.
  private func value(at place: Int) -> (value: Int, size: Int)? {
    let span = bytes.span
    guard let type = span.uint16(at: place + 2, order), number(at: place + 4) == 1 else {
      return nil
    }
    let position = place + valueOffset
    switch type {
    case 1, 6: return (Int(bytes[position]), 1)
    case 3, 8: return span.uint16(at: position, order).map { (Int($0), 2) }
    case 4, 9, 13: return span.uint32(at: position, order).map { ($0.length, 4) }
    default: return nil
    }
  }

  /// Returns a count or an offset.
  private func number(at place: Int) -> Int? {
    guard isBig else { return bytes.span.uint32(at: place, order)?.length }
    let halves = (bytes.span.uint32(at: place, order), bytes.span.uint32(at: place + 4, order))
    guard let first = halves.0, let second = halves.1 else { return nil }
    let (high, low) = order == .big ? (first, second) : (second, first)
    return high == 0 ? low.length : nil
  }

  private func removal(of own: [Int]) -> [Edit]? {
    let tail = own[0]..<bytes.count
    let isShared = places.contains { place in
      guard let type = bytes.span.uint16(at: place + 2, order), let length = number(at: place + 4),
        let size = TIFFReader.size(ofType: type), length <= .max >> 8,
        length * size > Self.offsetSize(isBig), let offset = number(at: place + valueOffset)
      else { return false }
      return offset < start + tail.upperBound && start + tail.lowerBound < offset + length * size
    }
    guard !isShared else { return nil }
    var rest: [UInt8] = []
    for place in places where place > own[0] && !own.contains(place) {
      rest += bytes[place..<place + entrySize]
    }
    rest += bytes[end...]
    rest += [UInt8](repeating: 0, count: tail.count - rest.count)
    let new = count - own.count
    var field = [UInt8](repeating: 0, count: countSize)
    for index in 0..<2 {
      let byte = UInt8(truncatingIfNeeded: new >> (8 * index))
      field[order == .big ? countSize - 1 - index : index] = byte
    }
    let old = value(at: own[0]).map { "\($0.value)" } ?? ""
    return [
      edit(0..<countSize, field, "exif.ifd0.count", "\(count)", "\(new)"),
      edit(tail, rest, Self.field, old, "removed"),
    ]
  }
}
