internal import FileBytes

/// A camera raw file that is built like a TIFF file: which format it has, and the size of its image.
///
/// Its orientation is that of IFD0. Other directories have previews, and often Orientation, which raw developers ignore.
struct CameraRaw {
  private var format: ImageFormat
  private var size = (width: 0, height: 0)

  /// The maximum number of directories of images that are read.
  private static let maxImages = 16

  private enum Tag {
    static let exif: UInt16 = 0x8769
    /// The edges of the image on Panasonic's sensors.
    static let edges: (top: UInt16, left: UInt16, bottom: UInt16, right: UInt16) = (4, 5, 6, 7)
  }

  /// The compressions that only camera raw files have: those of Kodak, Sony, Epson, Samsung, Nikon and Pentax.
  private static let compressions: Set<Int64> = [
    262, 32767, 32769, 32770, 32772, 34713, 65000, 65535,
  ]
  /// PhotometricInterpretation of data of a color filter array (TIFF/EP, 5.1.5).
  private static let colorFilterArray: Int64 = 32803

  /// The makers whose raw files are TIFF files with a name of their own.
  private static let makers: [(name: StaticString, format: ImageFormat)] = [
    ("NIKON", .nef), ("SONY", .arw), ("PENTAX", .pef), ("RICOH", .pef), ("SAMSUNG", .srw),
  ]

  /// Reads what is known of a TIFF file that is a camera raw file; nil if it is none, or DNG.
  ///
  /// The pages and the make have been read. A file without raw data that has the ending of a camera raw format is one,
  /// too, because not all formats describe their data.
  init?<Failure>(
    _ facts: FormatHeader,
    ending: String?,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    guard facts.format != .dng, let main = facts.pages.first?.directory else { return nil }
    format = facts.format
    let promised = ending.flatMap { ImageFormat.promised(byEnding: $0) }
    var pages = Array(facts.pages.prefix(Self.maxImages))
    for offset in try main.integers(
      TIFFReader.Tag.subDirectories,
      &file,
      maxCount: Self.maxImages
    ) {
      if let page = try Self.page(at: offset.length, main.form, &file) { pages.append(page) }
    }
    var hasRawData = false
    for page in pages {
      if try Self.hasRawData(page.directory, &file) { hasRawData = true }
      if !page.isReduced { include(page.width, page.height) }
    }
    if format == .tiff {
      if hasRawData {
        let make = Array((facts.make ?? "").uppercased().utf8)
        format = Self.makers.first { make.span.hasPrefix($0.name) }?.format ?? .raw
      } else if let promised, promised.isRaw, promised.resemblesTIFF {
        format = promised
      } else {
        return nil
      }
    }
    try readSize(main, &file)
  }

  /// Enters the format and the size; of the pages, only IFD0 states something about the image.
  func describe(_ facts: inout FormatHeader) {
    facts.format = format
    facts.pages.removeSubrange(1...)
    facts.hasMorePages = false
    facts.notes = []
    (facts.width, facts.height) = size
  }

  private mutating func include(_ width: Int, _ height: Int) {
    // Larger sides are those of no image, and edges can be in the wrong order.
    guard min(width, height) > 0, max(width, height) < 1 << 20,
      Int64(width) * Int64(height) > Int64(size.width) * Int64(size.height)
    else { return }
    size = (width, height)
  }

  /// Reads the size that is not that of a directory: the edges on the sensor, or what Exif gives.
  private mutating func readSize<Failure>(
    _ main: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    func value(
      _ tag: UInt16,
      _ directory: TIFFDirectory
    ) throws(HeaderError<Failure>) -> Int {
      try directory.integers(tag, &file).first?.length ?? 0
    }
    if format == .rw2 {
      let width = try value(Tag.edges.right, main) - value(Tag.edges.left, main)
      return include(width, try value(Tag.edges.bottom, main) - value(Tag.edges.top, main))
    }
    guard let offset = try main.integers(Tag.exif, &file).first,
      let exif = try Self.page(at: offset.length, main.form, &file)?.directory
    else { return }
    let width = try value(ExifTag.pixelXDimension, exif)
    include(width, try value(ExifTag.pixelYDimension, exif))
  }

  /// Returns the directory at an offset; nil if there is none.
  private static func page<Failure>(
    at offset: Int,
    _ form: TIFFForm,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> TIFFPage? {
    do throws(HeaderError<Failure>) {
      return try TIFFPage(TIFFDirectory(&file, at: offset, form), &file)
    } catch {
      guard case .content = error else { throw error }
      return nil
    }
  }

  private static func hasRawData<Failure>(
    _ directory: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> Bool {
    let photometric = try directory.integers(ExifTag.photometricInterpretation, &file).first
    if photometric == colorFilterArray { return true }
    let compression = try directory.integers(ExifTag.compression, &file).first
    return compression.map { compressions.contains($0) } ?? false
  }
}
