internal import FileBytes
internal import ISOBMFF

/// Reads the boxes of a Canon raw file (CR3): IFD0, Exif and GPS are TIFF blocks in boxes of their own.
struct CR3Reader {
  private var facts = FormatHeader(.cr3)
  private var capture: CaptureFields?

  /// The type of Canon's box `uuid` in `moov`.
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    var hasMovie = false
    var boxes = BoxSequence(0..<file.size)
    do throws(HeaderError<Failure>) {
      while let box = try boxes.next(&file) {
        switch box.type {
        case "moov" where !hasMovie:
          hasMovie = true
          try readMovie(box.content, &file)
        case "uuid": try facts.readXMP(box, &file)
        default: break
        }
      }
    } catch {
      // The metadata is at the beginning.
      guard !facts.exif.isEmpty, case .content = error else { throw error }
      facts.note(.noEndOfImage, "the file ends within a box")
    }
    guard !facts.exif.isEmpty else {
      throw .content(
        .malformed(at: file.size, "the CR3 file has no box CMT1, which has its metadata")
      )
    }
    return facts
  }

  private mutating func readMovie<Failure>(
    _ movie: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    var boxes = BoxSequence(movie)
    while let box = try boxes.next(&file) {
      guard box.type == "uuid", try file.bytes(box.userType) == Self.canon else { continue }
      var parts = BoxSequence(box.content)
      while let part = try parts.next(&file) {
        if part.type == "CMT2" || part.type == "CMT4" { try readCapture(part.content, &file) }
        guard part.type == "CMT1", facts.exif.isEmpty else { continue }
        let content = try file.bytes(part.content)
        facts.exif = [MetadataPart(content, at: part.content.lowerBound)]
        if let block = TIFFBlock(content.span, in: content.indices) {
          facts.width = block.integer(.ifd0, ExifTag.imageWidth, content.span)?.length ?? 0
          facts.height = block.integer(.ifd0, ExifTag.imageLength, content.span)?.length ?? 0
        }
      }
    }
    facts.capture = capture?.block
  }

  /// Reads the directory of Exif or of GPS.
  private mutating func readCapture<Failure>(
    _ part: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    let content = try file.bytes(part)
    guard let block = TIFFBlock(content.span, in: content.indices) else { return }
    var fields = capture ?? CaptureFields(block.order)
    fields.add(block, content.span)
    capture = fields
  }
}
