internal import FileBytes
internal import JPEGCore

extension JPEGPhoto {
  /// Opens a file from its beginning, or returns that a longer beginning is needed.
  package static func open(
    _ beginning: [UInt8],
    size: Int?,
    isWhole: Bool
  ) throws(UprightError) -> Photo.Step<JPEGPhoto> {
    let bytes = beginning.span
    // The header continues at least to this offset.
    let end: Int
    // Checked first, because half of all attempts fail, and building the error takes most of their time.
    if beginning.count == smallRead, let cut = Container.endOfCutSegment(bytes) {
      end = cut
    } else {
      do throws(ContainerError) {
        let container = try Container(bytes, extent: .header)
        let header = try Header(container, bytes, xmp: .orientation)
        let scan = container.firstScan.map { container.segments[$0] }
        guard scan?.range.upperBound ?? 0 <= maxHeaderSize else { throw tooLarge }
        return .done(JPEGPhoto(beginning, size: size, consume header))
      } catch {
        guard error.kind == .truncated else { throw UprightError(error, of: bytes) }
        end = bytes.uint16(at: error.offset + 2).map { error.offset + 2 + Int($0) } ?? 0
      }
    }
    guard max(end, beginning.count) <= maxHeaderSize else { throw UprightError(tooLarge) }
    guard !isWhole else {
      throw UprightError(
        .truncated,
        at: beginning.count,
        "the file ends before the first scan of the image"
      )
    }
    // The size at least doubles, to bound the number of reads. Reading the beginning again is faster than concatenating.
    return .needs(
      .bytes(0..<min(max(end + smallRead, 2 * beginning.count), maxHeaderSize + smallRead))
    )
  }

  /// Opens a file in memory, of which only the header is read.
  package init(leading file: [UInt8]) throws(UprightError) {
    guard case .done(let photo) = try Self.open(file, size: file.count, isWhole: true) else {
      preconditionFailure("a whole file needs no further bytes")
    }
    self = photo
  }

  /// Opens a whole file in memory.
  package init(_ file: [UInt8]) throws(UprightError) {
    self = try JPEGPhoto(leading: file)
    try readRest()
  }

  private static var tooLarge: ContainerError {
    ContainerError(
      .limit,
      at: maxHeaderSize,
      "the image header is larger than \(maxHeaderSize >> 20) MiB"
    )
  }

  /// The maximum number of bytes that are read before the first scan.
  ///
  /// The largest depth maps and credentials need a quarter of it. The limit avoids reading a whole file that has no scan.
  private static let maxHeaderSize = 64 << 20

  /// The number of bytes of the first read, which suffices for half of all headers.
  static let smallRead = 4 << 10
}

extension UprightError {
  package static func noEndOfImage(at offset: Int) -> UprightError {
    UprightError(
      .truncated,
      at: offset,
      "the file ends before the end of the image (no EOI marker)"
    )
  }
}
