internal import FileBytes
package import ImageFormats

/// Why a file could not be read piece by piece: because of its content, or of its reader.
package enum ReadingError<Failure: Error>: Error {
  /// The file is damaged, or cannot be processed.
  case content(UprightError)
  /// The reader failed.
  case reader(Failure)
}

/// Reads a file piece by piece.
package struct PhotoReader<Failure: Error> {
  /// Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  package typealias Read = (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]

  /// Opens a file with a few small reads.
  ///
  /// - Parameters:
  ///   - size: The size of the file in bytes, or nil if it is unknown.
  ///   - formats: The formats that are taken; a file of another one is an error that names its format.
  ///   - ending: The ending of the file's name, without a dot; some camera raw files are distinguished from TIFF by it
  ///     alone.
  ///   - read: Reads the file.
  /// - Returns: The photo.
  /// - Throws: ``ReadingError``; of code `not-jpeg` for a file of another format.
  package static func open(
    size: Int?,
    taking formats: Set<ImageFormat>,
    ending: String? = nil,
    _ read: Read
  ) throws(ReadingError<Failure>) -> Photo {
    try open(
      try part(0..<JPEGPhoto.smallRead, read),
      size: size,
      taking: formats,
      ending: ending,
      read
    )
  }

  /// Opens a file of which the first bytes, or all, were read.
  static func open(
    _ beginning: [UInt8],
    size: Int?,
    taking formats: Set<ImageFormat>,
    ending: String? = nil,
    _ read: Read
  ) throws(ReadingError<Failure>) -> Photo {
    if let format = ImageFormat(beginning: beginning.span), format != .jpeg, let size,
      formats.contains(format)
        || format == .tiff && formats.contains(where: { $0.resemblesTIFF }),
      let statements = try OrientationStatements.read(beginning, size: size, ending: ending, read),
      formats.contains(statements.image.format)
    {
      return .other(statements)
    }
    // Of another format, the error names it.
    let photo = try open(beginning, size: size, read)
    guard formats.contains(.jpeg) else {
      throw .content(UprightError(.notJPEG, "the format is JPEG, which was not requested"))
    }
    return .jpeg(photo)
  }

  private static func open(
    _ beginning: [UInt8],
    size: Int?,
    _ read: Read
  ) throws(ReadingError<Failure>) -> JPEGPhoto {
    var beginning = beginning
    var isWhole = beginning.count == size
    while true {
      let step: Photo.Step<JPEGPhoto>
      do throws(UprightError) {
        step = try JPEGPhoto.open(beginning, size: size, isWhole: isWhole)
      } catch { throw .content(error) }
      switch step {
      case .done(let photo): return photo
      case .needs(.mark): preconditionFailure("a header has no marks")
      case .needs(.bytes(let range)):
        let more = try part(range, read)
        isWhole = more.count <= beginning.count
        if !isWhole { beginning = more }
      }
    }
  }

  /// Repeats work, with what it needs of the file, until it is done.
  @inline(__always) static func complete<Value>(
    _ photo: inout JPEGPhoto,
    _ read: Read,
    _ work: (inout JPEGPhoto) throws(UprightError) -> Photo.Step<Value>
  ) throws(ReadingError<Failure>) -> Value {
    while true {
      let step: Photo.Step<Value>
      do throws(UprightError) { step = try work(&photo) } catch { throw .content(error) }
      switch step {
      case .done(let value): return value
      case .needs(.bytes(let range)):
        photo.add(try part(range, read), of: range)
      case .needs(.mark(let mark, let range)):
        photo.add(mark, at: try offset(of: mark, in: range, read))
      }
    }
  }

  private static func part(
    _ range: Range<Int>,
    _ read: Read
  ) throws(ReadingError<Failure>) -> [UInt8] {
    do throws(Failure) {
      return try read(range.lowerBound, range.count)
    } catch { throw .reader(error) }
  }

  /// The number of bytes that are searched at once.
  private static var windowLength: Int { 1 << 20 }

  private static func offset(
    of mark: StaticString,
    in range: Range<Int>,
    _ read: Read
  ) throws(ReadingError<Failure>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(position + windowLength, range.upperBound)
      let window = try part(position..<end, read)
      if let hit = window.span.firstOffset(of: mark, in: 0..<window.count) { return position + hit }
      guard position + window.count < range.upperBound, window.count > mark.utf8CodeUnitCount else {
        return nil
      }
      position += window.count - mark.utf8CodeUnitCount + 1
    }
    return nil
  }
}
