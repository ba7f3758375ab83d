internal import JPEGCore

extension Header {
  /// Reads the header of a whole file, and of XMP what decides on the orientation.
  init(whole file: [UInt8]) throws(UprightError) {
    do throws(ContainerError) {
      self = try Header(try Container(file.span), file.span, xmp: .orientation)
    } catch { throw UprightError(error) }
  }

  /// Reads the header from the beginning of a file, and of XMP what decides on the orientation.
  ///
  /// - Returns: nil when the header is longer than `beginning`.
  static func beginning(_ beginning: [UInt8]) throws(UprightError) -> Header? {
    do throws(ContainerError) {
      let container = try Container(beginning.span, extent: .header)
      return try Header(container, beginning.span, xmp: .orientation)
    } catch {
      guard error.kind != .truncated else { return nil }
      throw UprightError(error)
    }
  }

  /// Reads the header of a file by small reads, and as few as it takes.
  ///
  /// - Parameter read: Gives the bytes of the file from an offset on, at most as many as asked for, and fewer
  ///   only at the end of the file.
  /// - Returns: The header, and the beginning of the file that it stands in.
  /// - Throws: ``UprightError``, and what `read` throws.
  static func reading(
    _ read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> (header: Header, beginning: [UInt8]) {
    var beginning = try read(0, firstRead)
    while true {
      if let header = try Header.beginning(beginning) { return (header, beginning) }
      let more = try read(beginning.count, 3 * beginning.count)
      guard !more.isEmpty else {
        throw UprightError(
          .truncated,
          at: beginning.count,
          "the file ends before the first scan of its picture"
        )
      }
      beginning += more
    }
  }

  /// Most headers without a thumbnail fit into so many bytes, and most with one into four times as many.
  private static let firstRead = 16 << 10

  /// Holds what only a whole file can be changed.
  ///
  /// - Throws: ``UprightError`` of code `truncated`.
  func requireEnd() throws(UprightError) {
    guard container.isComplete else {
      throw UprightError(
        .truncated,
        at: container.end,
        "the file ends before the picture does (no EOI)"
      )
    }
  }
}
