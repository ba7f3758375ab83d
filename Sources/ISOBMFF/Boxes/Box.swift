internal import FileBytes

/// A box: a type and the range of its content (ISO/IEC 14496-12, 4.2).
package struct Box: Hashable, Sendable {
  package var type: FourCharacterCode
  /// The box with its header.
  package var range: Range<Int>
  /// What follows the header.
  package var content: Range<Int>
  /// The user type of a box `uuid`, a part of its header; empty in other boxes.
  package private(set) var userType: Range<Int>

  /// Reads the header of the box at a place in `range`: the file, or the content of the box around it.
  ///
  /// The box may end after `range` if it `mayBeCut`, as in the beginning of a file.
  package init(
    _ bytes: Span<UInt8>,
    at place: Int,
    in range: Range<Int>,
    mayBeCut: Bool = false
  ) throws(FormatError) {
    let isFile = range == 0..<bytes.count
    func ends(_ message: String) -> FormatError {
      FormatError(isFile ? .truncated : .malformed, at: place, message)
    }
    guard place + 8 <= range.upperBound, let small = bytes.uint32(at: place),
      let code = bytes.uint32(at: place + 4)
    else { throw ends("the header of a box is not complete") }
    type = FourCharacterCode(rawValue: code)
    var header = 8
    var size = UInt64(small)
    switch small {
    case 0 where isFile: size = UInt64(range.upperBound - place)
    case 1:
      guard place + 16 <= range.upperBound, let high = bytes.uint32(at: place + 8),
        let low = bytes.uint32(at: place + 12)
      else { throw ends("the header of a box is not complete") }
      header = 16
      size = UInt64(high) << 32 | UInt64(low)
    default: break
    }
    guard size >= UInt64(header), size <= UInt64(Int.max >> 2) else {
      throw .malformed(at: place, "the box \(type) has a size of \(size) bytes")
    }
    self.range = place..<place + Int(size)
    let extended = type == "uuid" ? min(16, Int(size) - header) : 0
    userType = place + header..<place + header + extended
    content = userType.upperBound..<self.range.upperBound
    guard mayBeCut || self.range.upperBound <= range.upperBound else {
      throw ends("the box \(type) ends after the \(isFile ? "file" : "box around it")")
    }
  }

  /// Reads the header of the box at a place in a file, of which `header` has at least 16 bytes, or all that are left.
  package init(header: Span<UInt8>, at place: Int, of size: Int) throws(FormatError) {
    let box: Box
    do throws(FormatError) {
      box = try Box(header, at: 0, in: 0..<header.count, mayBeCut: true)
    } catch {
      throw FormatError(error.kind, at: place + (error.offset ?? 0), error.message)
    }
    type = box.type
    // A size of 0 is that of the rest of the file.
    let end = header.uint32(at: 0) == 0 ? size : place + box.range.upperBound
    guard end <= size else {
      throw .truncated(at: place, "the box \(type) ends after the file")
    }
    range = place..<end
    userType = place + box.userType.lowerBound..<min(place + box.userType.upperBound, end)
    content = place + box.content.lowerBound..<max(place + box.content.lowerBound, end)
  }

  private static let maxCount = 100_000

  /// Returns the boxes that fill a range.
  package static func boxes(
    _ bytes: Span<UInt8>,
    in range: Range<Int>
  ) throws(FormatError) -> [Box] {
    var boxes: [Box] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard boxes.count < maxCount else {
        throw .limit(at: place, "there are more than \(maxCount) boxes in a box")
      }
      let box = try Box(bytes, at: place, in: range)
      boxes.append(box)
      place = box.range.upperBound
    }
    return boxes
  }

  /// Returns the fields of the content.
  var fields: FieldCursor { FieldCursor(content) }

  /// Returns the version, the flags and the fields after them (ISO/IEC 14496-12, 4.2, FullBox).
  func fullBox(
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> (version: Int, flags: Int, fields: FieldCursor) {
    var fields = fields
    let version = try fields.integer(1, bytes)
    let flags = try fields.integer(3, bytes)
    return (version, flags, fields)
  }
}

extension [Box] {
  /// Returns the only box of a type, or nil; fails if there are several, because readers differ in which one they use.
  func only(_ type: FourCharacterCode) throws(FormatError) -> Box? {
    var found: Box?
    for box in self where box.type == type {
      guard found == nil else {
        throw .malformed(at: box.range.lowerBound, "there is more than one box \(type)")
      }
      found = box
    }
    return found
  }

  /// Returns the only box of a type, which is required.
  func required(_ type: FourCharacterCode) throws(FormatError) -> Box {
    guard let box = try only(type) else {
      throw .malformed("there is no box \(type)")
    }
    return box
  }
}
