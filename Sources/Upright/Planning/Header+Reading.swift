internal import JPEGCore

extension Header {
  /// Reads the header of a whole file, with the XMP packets that affect the orientation.
  ///
  /// - Throws: ``UprightError``; for a damaged header, the error of ``reading(_:)``.
  init(whole file: [UInt8]) throws(UprightError) {
    do throws(ContainerError) {
      self = try Header(try Container(file.span), file.span, xmp: .orientation)
    } catch {
      _ = try Header(leading: file)
      throw UprightError(error)
    }
    try requireSize()
  }

  /// Reads only the header of a whole file, with the XMP packets that affect the orientation.
  init(leading file: [UInt8]) throws(UprightError) {
    self = try Self.reading(Normalizer.reading(file)).header
  }

  /// Reads the header from the beginning of a file, with the XMP packets that affect the orientation.
  ///
  /// - Returns: The header, or nil if it is longer than `beginning`.
  static func beginning(_ beginning: [UInt8]) throws(UprightError) -> Header? {
    guard case .header(let header) = try attempt(beginning) else { return nil }
    return header
  }

  /// Reads the header of a file with as few small reads as possible.
  ///
  /// - Parameter read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The header, and the beginning of the file that contains it.
  /// - Throws: ``UprightError``.
  static func reading(
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> (header: Header, beginning: [UInt8]) {
    var beginning = try read(0, smallRead)
    while true {
      let end: Int
      switch try attempt(beginning) {
      case .header(let header):
        try header.requireSize()
        return (header, beginning)
      case .needs(let needed): end = needed
      }
      guard max(end, beginning.count) <= maxHeaderSize else { throw tooLarge }
      // The size at least doubles, to bound the number of reads. Reading the beginning again is faster than
      // concatenating.
      let requested = min(max(end + smallRead, 2 * beginning.count), maxHeaderSize + smallRead)
      let more = try read(0, requested)
      guard more.count > beginning.count else { throw endsTooEarly(at: beginning.count) }
      beginning = more
    }
  }

  /// Throws if the header has more bytes than ``maxHeaderSize``.
  private func requireSize() throws(UprightError) {
    let scan = container.segments.first { $0.marker == .startOfScan }
    guard scan?.range.upperBound ?? 0 <= Self.maxHeaderSize else { throw Self.tooLarge }
  }

  /// The error of a header with more bytes than ``maxHeaderSize``.
  private static var tooLarge: UprightError {
    UprightError(
      .limit,
      at: maxHeaderSize,
      "the image header is larger than \(maxHeaderSize >> 20) MiB"
    )
  }

  /// Returns the error of a file that ends within its header.
  private static func endsTooEarly(at offset: Int) -> UprightError {
    UprightError(.truncated, at: offset, "the file ends before the first scan of the image")
  }

  /// The result of trying to read a header.
  private enum Attempt {
    case header(Header)
    /// The header is longer: it continues at least to this offset.
    case needs(Int)
  }

  private static func attempt(_ beginning: [UInt8]) throws(UprightError) -> Attempt {
    let bytes = beginning.span
    // Checked first, because half of all attempts fail, and building the error takes most of their time.
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

  /// The maximum number of bytes that are read before the first scan.
  ///
  /// The largest depth maps and credentials need a quarter of it. The limit avoids reading a whole file that has no scan.
  private static let maxHeaderSize = 64 << 20

  /// The number of bytes of the first read, which suffices for half of all headers.
  private static let smallRead = 4 << 10

  /// Throws if the file is incomplete.
  ///
  /// - Throws: ``UprightError`` of code `truncated`.
  func requireEnd() throws(UprightError) {
    guard container.isComplete else { throw .noEndOfImage(at: container.end) }
  }
}

extension UprightError {
  /// Creates the error of an image that ends before EOI.
  static func noEndOfImage(at offset: Int) -> UprightError {
    UprightError(
      .truncated,
      at: offset,
      "the file ends before the end of the image (no EOI marker)"
    )
  }
}
