internal import FileBytes
internal import ISOBMFF
internal import Upright

/// A part of a file of a format other than JPEG.
///
/// The parts of a file contain all of its bytes, so that none is left out of a comparison.
struct FilePart {
  /// What must be the same in both files.
  enum Content {
    /// Every byte.
    case bytes
    /// A form of the part without what may change.
    case form([UInt8])
    /// An Exif block, except for its Orientation.
    case exif
    /// An XMP packet, except for its Orientation.
    case packet
  }

  /// The name of the part, such as `the box ftyp`.
  let name: String
  let range: Range<Int>
  var content = Content.bytes
  /// The field of a difference that is expected in the bytes; empty if none is.
  var field = ""

  init(_ name: String, _ range: Range<Int>, _ content: Content = .bytes, field: String = "") {
    (self.name, self.range, self.content, self.field) = (name, range, content, field)
  }

  /// Whether the part states an orientation.
  var isMetadata: Bool {
    switch content {
    case .exif, .packet: true
    case .bytes, .form: false
    }
  }
}

extension [FilePart] {
  /// Returns the parts without the bytes of some ranges: what is before, between and after them.
  func excluding(_ holes: [Range<Int>]) -> [FilePart] {
    // No two of them overlap.
    var joined: [Range<Int>] = []
    for hole in holes.filter({ !$0.isEmpty }).inFileOrder({ $0 }) {
      if let last = joined.last, hole.lowerBound < last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, hole.upperBound)
      } else {
        joined.append(hole)
      }
    }
    let holes = joined
    return flatMap { part -> [FilePart] in
      guard case .bytes = part.content else { return [part] }
      var pieces: [FilePart] = []
      var start = part.range.lowerBound
      let first = holes.partitionPoint { $0.upperBound > start }
      for hole in holes[first...].prefix(while: { $0.lowerBound < part.range.upperBound }) {
        if hole.lowerBound > start {
          pieces.append(FilePart(part.name, start..<hole.lowerBound))
        }
        start = Swift.max(start, hole.upperBound)
      }
      guard start > part.range.lowerBound else { return [part] }
      if start < part.range.upperBound {
        pieces.append(FilePart(part.name, start..<part.range.upperBound))
      }
      return pieces
    }
  }
}

/// A position in a file, from which unsigned integers are read.
struct IntegerReader {
  private(set) var position: Int
  let end: Int

  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  /// The bytes that are not read yet.
  var rest: Range<Int> { position..<end }

  mutating func integer(_ size: Int, _ bytes: Span<UInt8>) throws(FormatError) -> Int {
    guard size <= end - position else {
      throw .malformed(at: position, "a part of the file ends within its fields")
    }
    var value: UInt64 = 0
    for index in position..<position + size { value = value << 8 | UInt64(bytes[index]) }
    guard value <= UInt64(Int.max >> 2) else {
      throw .malformed(at: position, "the number \(value) is too large")
    }
    position += size
    return Int(value)
  }

  /// Reads bytes up to a zero byte, or up to the end.
  mutating func text(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == 0 { break }
      text.append(byte)
    }
    return text
  }
}
