/// Reads the header of an image file without access to files: it names the bytes that it needs.
package struct ImageReader: Sendable {
  private var window: FileWindow
  private var format: Reader?

  private enum Reader: Sendable {
    case heif(HEIFReader)
    case tiff(TIFFReader)
    case png(PNGReader)
    case webp(WebPReader)
    case jxl(JXLReader)
  }

  /// A step of reading.
  package enum Step: Sendable {
    /// The reader needs bytes: up to `count` from an offset, fewer only at the end of the file.
    case needs(offset: Int, count: Int)
    /// The header was read.
    case facts(ImageFacts)
  }

  /// The number of bytes of the first read.
  package static let smallRead = 4 << 10

  /// Begins with the first bytes of a file; nil if the format is JPEG or none of ``ImageFormat``.
  ///
  /// - Parameters:
  ///   - beginning: The first bytes, at least ``ImageFormat/recognizedLength`` if the file has them.
  ///   - size: The size of the file.
  package init?(_ beginning: [UInt8], size: Int) {
    guard let format = ImageFormat(beginning: beginning.span) else { return nil }
    window = FileWindow(size: size)
    switch format {
    case .jpeg: return nil
    case .heic, .heif, .avif: self.format = .heif(HEIFReader(format))
    case .tiff, .dng: self.format = .tiff(TIFFReader())
    case .png: self.format = .png(PNGReader())
    case .webp: self.format = .webp(WebPReader())
    case .jxl: self.format = .jxl(JXLReader())
    }
    do throws(ReadingStop) { try window.add(beginning, at: 0) } catch { return nil }
  }

  /// Adds bytes that were read.
  package mutating func add(_ bytes: [UInt8], at offset: Int) throws(ReadingStop) {
    try window.add(bytes, at: offset)
  }

  /// Reads on.
  ///
  /// - Throws: ``ReadingStop`` of case `failed`.
  package mutating func step() throws(ReadingStop) -> Step {
    do throws(ReadingStop) {
      return .facts(try read())
    } catch {
      guard case .needs(let offset, let count) = error else { throw error }
      // Small requests follow each other.
      let more = count < Self.smallRead / 2 ? min(256, window.size - offset) : count
      return .needs(offset: offset, count: max(count, more))
    }
  }

  private mutating func read() throws(ReadingStop) -> ImageFacts {
    switch format {
    case .heif(var reader):
      format = nil
      defer { format = .heif(reader) }
      return try reader.read(window)
    case .tiff(let reader): return try reader.read(window)
    case .png(var reader):
      format = nil
      defer { format = .png(reader) }
      return try reader.read(window)
    case .webp(var reader):
      format = nil
      defer { format = .webp(reader) }
      return try reader.read(window)
    case .jxl(var reader):
      format = nil
      defer { format = .jxl(reader) }
      return try reader.read(window)
    case nil: throw .malformed(at: nil, "the reader has ended")
    }
  }
}
