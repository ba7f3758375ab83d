internal import FileBytes

/// The trailers of programs and phones: data after the image that is found from the end of the file (specification,
/// section 5).
///
/// Each has a mark and its length at its end, so they are found one before another.
struct Trailers {
  /// A kind of records in trailers.
  enum Kind: Hashable, Sendable {
    /// The recipe of Canon's Digital Photo Professional.
    case canonRecipe
    /// A record of FotoStation with this number.
    case fotoStation(UInt16)
    /// The edits of Photo Mechanic.
    case photoMechanic
    /// AXS File Concatenation Protocol, with offsets from the start of the file.
    case fileConcatenation
    /// Phil Harvey's Meta Information Encapsulation.
    case mie
  }

  /// The records, the last one of the file first, with the places of their contents.
  private(set) var records: [(kind: Kind, content: Range<Int>)] = []

  /// The maximum number of records that are read.
  private static let maxCount = 1 << 16
  private static let markLength = 64

  /// Finds the trailers between the end of an image and that of the file; `read` returns the bytes from an offset on.
  init<Failure: Error>(
    in range: Range<Int>,
    _ read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    var end = range.upperBound
    while records.count < Self.maxCount {
      let start = max(range.lowerBound, end - Self.markLength)
      guard start < end else { return }
      let tail = try read(start, end - start)
      guard let found = Self.record(tail.span, end, range.lowerBound) else { return }
      if found.kind == .fileConcatenation || found.kind == .canonRecipe {
        // Both begin as they end.
        let length = found.kind == .canonRecipe ? 20 : 4
        let mark = found.kind == .canonRecipe ? tail.prefix(20) : tail.suffix(12).prefix(4)
        guard try read(found.whole.lowerBound, length) == Array(mark) else { return }
      }
      records.append((found.kind, found.content))
      end = found.whole.lowerBound
    }
  }

  /// Returns the record that ends at an offset, by the bytes before it.
  private static func record(
    _ tail: Span<UInt8>,
    _ end: Int,
    _ limit: Int
  ) -> (kind: Kind, content: Range<Int>, whole: Range<Int>)? {
    /// Returns the range of so many bytes before the end.
    func range(_ length: Int) -> Range<Int>? {
      length <= end - limit ? end - length..<end : nil
    }
    let count = tail.count
    if count == markLength, tail.hasPrefix("CANON OPTIONAL DATA\0"),
      let length = tail.uint32(at: 20)?.length, length < 1 << 30,
      let whole = range(length + 28 + markLength)
    {
      return (.canonRecipe, whole.dropFirst(28).dropLast(markLength), whole)
    }
    guard count >= 12 else { return nil }
    if tail.uint32(at: count - 4) == 0xA1B2_C3D4, let number = tail.uint16(at: count - 10),
      let length = tail.uint32(at: count - 8)?.length, length >= 10, let whole = range(length)
    {
      return (.fotoStation(number), whole.dropLast(10), whole)
    }
    if tail.hasPrefix("cbipcbbl", at: count - 8),
      let length = tail.uint32(at: count - 12)?.length, length < 1 << 30,
      let whole = range(length + 12)
    {
      return (.photoMechanic, whole.dropLast(12), whole)
    }
    if let length = mieLength(tail), let whole = range(length) { return (.mie, whole, whole) }
    let order: ByteOrder? =
      tail.hasPrefix("AXS!", at: count - 12)
      ? .big : tail.hasPrefix("AXS*", at: count - 12) ? .little : nil
    if let order, let start = tail.uint32(at: count - 8, order)?.length, start >= limit,
      start < end - 12
    {
      return (.fileConcatenation, start..<end, start..<end)
    }
    return nil
  }

  /// Returns the length of a trailer of MIE, which its last element `zmie` gives in four or eight bytes.
  private static func mieLength(_ tail: Span<UInt8>) -> Int? {
    let count = tail.count
    // The byte order and the size of the length end it.
    guard count >= 22 else { return nil }
    let order: ByteOrder = tail[count - 2] & 8 == 0 ? .big : .little
    if tail.hasPrefix("~\0\u{4}\0zmie~\0\0\u{6}", at: count - 18) {
      return tail.uint32(at: count - 6, order)?.length
    }
    guard tail.hasPrefix("~\0\u{4}\0zmie~\0\0\u{A}", at: count - 22) else { return nil }
    let halves = (tail.uint32(at: count - 10, order), tail.uint32(at: count - 6, order))
    let (high, low) = order == .big ? halves : (halves.1, halves.0)
    return high == 0 ? low?.length : nil
  }

  /// Returns whether data after the image has offsets from the start of the file: a block in Samsung's trailer, or AFCP.
  static func hasAbsoluteOffsets(_ bytes: [UInt8], after end: Int) -> Bool {
    let tail = max(end, bytes.count - (1 << 16))..<bytes.count
    if bytes.span.firstOffset(of: "QDIOBS", in: tail) != nil { return true }
    let trailers = Trailers(in: min(end, bytes.count)..<bytes.count) { (offset, count) in
      Array(bytes[offset..<offset + count])
    }
    return trailers.records.contains { $0.kind == .fileConcatenation }
  }
}
