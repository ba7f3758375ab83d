extension ImageFacts {
  /// The number of first bytes of a file that suffice for most headers.
  package static let smallRead = 4 << 10

  /// Reads the header of an image file with a few small reads; nil if the format is JPEG or none of ``ImageFormat``.
  ///
  /// `beginning` has at least ``ImageFormat/recognizedLength`` bytes if the file has them. `read` returns up to `count`
  /// bytes from an offset, fewer only at the end of the file. The ending of the file's name, without a dot, distinguishes
  /// camera raw files that their content does not.
  package static func read<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    ending: String? = nil,
    _ read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(HeaderError<Failure>) -> ImageFacts? {
    guard let format = ImageFormat(beginning: beginning.span) else { return nil }
    return try withoutActuallyEscaping(read) {
      (read) throws(HeaderError<Failure>) -> ImageFacts? in
      var file = FileWindow(beginning, size: size, read)
      switch format.structure {
      case .jpeg: return nil
      case .heif:
        var reader = HEIFReader(format)
        return try reader.read(&file)
      case .tiff:
        return try TIFFReader.read(&file, format, ending: ending)
      case .raf:
        var reader = RAFReader()
        return try reader.read(&file)
      case .cr3:
        var reader = CR3Reader()
        return try reader.read(&file)
      case .mrw:
        var reader = MRWReader()
        return try reader.read(&file)
      case .x3f:
        return try X3FReader.read(&file)
      case .crw:
        var reader = CRWReader()
        return try reader.read(&file)
      case .movie:
        var reader = VideoReader(format)
        return try reader.read(&file)
      case .png:
        var reader = PNGReader()
        return try reader.read(&file)
      case .webp:
        var reader = WebPReader()
        return try reader.read(&file)
      case .jxl:
        var reader = JXLReader()
        return try reader.read(&file)
      }
    }
  }
}
