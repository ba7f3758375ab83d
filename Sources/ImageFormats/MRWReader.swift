internal import FileBytes
internal import ISOBMFF

/// Reads the blocks at the beginning of a Minolta raw file: TTW, a TIFF block, and PRD, which has the size.
struct MRWReader {
  static let signature: StaticString = "\0MRM"

  private var facts = FormatHeader(.mrw)

  /// The maximum number of blocks that are read.
  private static let maxBlocks = 64

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    do throws(HeaderError<Failure>) { try readBlocks(&file) } catch {
      // The orientation does not depend on the size.
      guard !facts.exif.isEmpty, case .content = error else { throw error }
      facts.note(.imageNotRead, "the size of the raw image cannot be read")
    }
    guard !facts.exif.isEmpty else {
      throw .content(.malformed(at: 8, "the MRW file has no block TTW, which has its metadata"))
    }
    return facts
  }

  /// Reads the blocks until both that are needed are known.
  private mutating func readBlocks<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    var position = 8
    let header = try file.bytes(0..<position)
    // The raw data follows the blocks.
    let end = position + (header.span.uint32(at: 4)?.length ?? 0)
    for _ in 0..<Self.maxBlocks where position < end {
      let head = try file.bytes(position..<position + 8)
      let content = position + 8..<position + 8 + (head.span.uint32(at: 4)?.length ?? 0)
      guard content.upperBound <= end else {
        throw .content(.malformed(at: position, "a block of the MRW file exceeds its header"))
      }
      if head.span.hasPrefix("\0TTW"), facts.exif.isEmpty {
        let block = try file.bytes(content)
        guard TIFFBlock(block.span, in: block.indices) != nil else {
          let text = "the block TTW of the MRW file does not begin like a TIFF file"
          throw .content(.malformed(at: content.lowerBound, text))
        }
        facts.exif = [MetadataPart(block, at: content.lowerBound)]
      } else if head.span.hasPrefix("\0PRD") {
        // The firmware and the size of the sensor are before the size of the image.
        let size = try file.bytes(content.prefix(16))
        facts.height = Int(size.span.uint16(at: 12) ?? 0)
        facts.width = Int(size.span.uint16(at: 14) ?? 0)
      }
      if facts.width > 0, !facts.exif.isEmpty { return }
      position = content.upperBound
    }
  }
}
