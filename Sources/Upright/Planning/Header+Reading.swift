internal import JPEGCore

extension Header {
  /// Reads the header of a whole file, and of XMP what decides on the orientation.
  init(whole file: [UInt8]) throws(UprightError) {
    do throws(ContainerError) {
      self = try Header(try Container(file.span), file.span, xmp: .orientation)
    } catch { throw UprightError(error) }
  }

  /// Reads the header of a whole file and nothing after it, and of XMP what decides on the orientation.
  init(leading file: [UInt8]) throws(UprightError) {
    guard case .header(let header) = try Self.attempt(file) else {
      throw Self.endsTooEarly(at: file.count)
    }
    self = header
  }

  /// Reads the header from the beginning of a file, and of XMP what decides on the orientation.
  ///
  /// - Returns: nil when the header is longer than `beginning`.
  static func beginning(_ beginning: [UInt8]) throws(UprightError) -> Header? {
    guard case .header(let header) = try attempt(beginning) else { return nil }
    return header
  }

  /// Reads the header of a file by small reads, and as few as it takes.
  ///
  /// - Parameter read: Gives the bytes of the file from an offset on, at most as many as asked for, and fewer
  ///   only at the end of the file.
  /// - Returns: The header, and the beginning of the file that it stands in.
  /// - Throws: ``UprightError``.
  static func reading(
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> (header: Header, beginning: [UInt8]) {
    var beginning = try read(0, smallRead)
    while true {
      let end: Int
      switch try attempt(beginning) {
      case .header(let header): return (header, beginning)
      case .needs(let needed): end = needed
      }
      guard max(end, beginning.count) <= maxHeaderSize else {
        throw UprightError(
          .limit,
          at: beginning.count,
          "the image header is larger than \(maxHeaderSize >> 20) MiB"
        )
      }
      // At least twice as much as before, or the many segments of a long header would be read many times. What
      // was read before is read again, which takes less than putting both together.
      let requested = min(max(end + smallRead, 2 * beginning.count), maxHeaderSize + smallRead)
      let more = try read(0, requested)
      guard more.count > beginning.count else { throw endsTooEarly(at: beginning.count) }
      beginning = more
    }
  }

  /// The error of a file that is nothing but the beginning of a header.
  private static func endsTooEarly(at offset: Int) -> UprightError {
    UprightError(.truncated, at: offset, "the file ends before the first scan of the image")
  }

  /// What a try to read a header comes to.
  private enum Attempt {
    case header(Header)
    /// The header is longer; the bytes up to this offset belong to it, too.
    case needs(Int)
  }

  private static func attempt(_ beginning: [UInt8]) throws(UprightError) -> Attempt {
    let bytes = beginning.span
    // Asked first, because half of all attempts fail, and most of their time would go into telling why.
    if beginning.count == smallRead, let end = Container.endOfCutSegment(bytes) {
      return .needs(end)
    }
    do throws(ContainerError) {
      let container = try Container(bytes, extent: .header)
      return .header(try Header(container, bytes, xmp: .orientation))
    } catch {
      guard error.kind == .truncated else { throw UprightError(error) }
      return .needs(bytes.uint16(at: error.offset + 2).map { error.offset + 2 + Int($0) } ?? 0)
    }
  }

  /// The most bytes before an image's first scan that are read: the largest depth maps and credentials take a
  /// quarter of it, and a file that has no scan need not be read to its end.
  private static let maxHeaderSize = 64 << 20

  /// Half of all headers fit into so many bytes; of the others, what follows the segment that does not.
  private static let smallRead = 4 << 10

  /// Holds what only a whole file can be changed.
  ///
  /// - Throws: ``UprightError`` of code `truncated`.
  func requireEnd() throws(UprightError) {
    guard container.isComplete else {
      throw UprightError(
        .truncated,
        at: container.end,
        "the file ends before the end of the image (no EOI marker)"
      )
    }
  }
}
