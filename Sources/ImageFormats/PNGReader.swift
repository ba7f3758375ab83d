internal import FileBytes
internal import ISOBMFF

/// Reads the chunks of a PNG file (PNG, third edition, 5 and 11).
struct PNGReader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private var facts = FormatHeader(.png)
  private var texts = 0

  /// How many bytes text chunks may still have when they are decompressed.
  private var room = 16 << 20

  /// The number of text chunks that are read.
  private static let maxTexts = 16

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    var position = Self.signature.count
    // Exif of chunks eXIf comes before that of text chunks.
    var blocks = 0
    while position < file.size {
      let header = try file.bytes(position..<position + 8)
      let content = position + 8..<position + 8 + (header.span.uint32(at: 0)?.length ?? 0)
      /// A chunk with its type.
      let chunk = position + 4..<content.upperBound
      let type = String(decoding: header[4...], as: UTF8.self)
      guard position > Self.signature.count || type == "IHDR" else {
        let text = "the first chunk of the PNG file is not IHDR"
        throw .content(.malformed(at: position, text))
      }
      switch type {
      case "IEND": return facts
      case "IHDR":
        let size = try file.bytes(content.prefix(8))
        guard let width = size.span.uint32(at: 0), let height = size.span.uint32(at: 4) else {
          throw .content(.malformed(at: position, "the chunk IHDR is too short"))
        }
        (facts.width, facts.height) = (width.length, height.length)
      case "eXIf":
        var part = MetadataPart(exif: try file.bytes(chunk), after: 4, at: chunk.lowerBound)
        part.problem = try problem(of: part, &file)
        facts.exif.insert(part, at: blocks)
        blocks += 1
      case "tEXt", "zTXt", "iTXt":
        if texts < Self.maxTexts, isMetadata(try file.bytes(at: content.lowerBound, upTo: 32)) {
          texts += 1
          let content = try file.bytes(chunk)
          let (exif, xmp) = (facts.exif.count, facts.xmp.count)
          readText(type, content, at: chunk.lowerBound)
          if facts.exif.count + facts.xmp.count > exif + xmp {
            let part = MetadataPart(content, at: chunk.lowerBound)
            let problem = try problem(of: part, &file)
            for index in facts.exif.indices.dropFirst(exif) { facts.exif[index].problem = problem }
            for index in facts.xmp.indices.dropFirst(xmp) { facts.xmp[index].problem = problem }
          }
        }
      case "IDAT": facts.placeForChunk = facts.placeForChunk ?? position
      case "iDOT":
        facts.placeForChunk = facts.placeForChunk ?? position
        // The last of seven numbers is the distance to the second half of the image data.
        let bytes = try file.bytes(at: content.lowerBound, upTo: 28)
        let end = position + (bytes.span.uint32(at: 24)?.length ?? 0)
        if end > position { facts.fixedChunks = position..<end }
      case "caBX": facts.hasCredentials = true
      default: break
      }
      position = content.upperBound + 4
    }
    guard facts.placeForChunk != nil else {
      let text = "the PNG file ends before its image"
      throw .content(.truncated(at: file.size, text))
    }
    facts.note(.noEndOfImage, "the PNG file ends before its chunk IEND")
    return facts
  }

  /// Returns what is wrong with the checksum of a chunk of metadata; nil if it is right.
  ///
  /// libpng ignores such a chunk, other readers do not (PNG, 13.2).
  private mutating func problem<Failure>(
    of chunk: MetadataPart,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> String? {
    guard let start = chunk.start else { return nil }
    let stored = try file.bytes(at: start + chunk.content.count, upTo: 4)
    // A file may end with its last chunk; that is reported.
    guard stored.count == 4, stored != chunk.content.crc32.bytes(.big) else { return nil }
    let type = String(decoding: chunk.content.prefix(4), as: UTF8.self)
    let text = "the checksum of the chunk \(type) is wrong, so some readers ignore it"
    facts.note(.metadataIgnored, text)
    return text
  }

  private static let xmp = "XML:com.adobe.xmp"
  private static let profiles = "raw profile type "
  /// The identifier of XMP in JPEG's segments.
  private static let segment = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  private func isMetadata(_ beginning: [UInt8]) -> Bool {
    let keyword = Self.keyword(beginning)
    return keyword == Self.xmp || keyword.lowercased().hasPrefix(Self.profiles)
  }

  private static func keyword(_ content: [UInt8]) -> String {
    String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads a text chunk with XMP, or with a profile as ImageMagick writes it.
  private mutating func readText(_ type: String, _ chunk: [UInt8], at start: Int) {
    let content = Array(chunk.dropFirst(4))
    let keyword = Self.keyword(content)
    guard let text = text(type, content, after: keyword.utf8.count + 1) else {
      facts.note(.metadataNotRead, "the text chunk \(keyword) cannot be read")
      return
    }
    if keyword == Self.xmp {
      let isPlain = chunk.suffix(text.count).elementsEqual(text)
      let packet =
        isPlain
        ? MetadataPart(chunk, chunk.count - text.count..<chunk.count, at: start)
        : MetadataPart(text, at: nil)
      return facts.xmp.append(packet)
    }
    guard let profile = Self.profile(text) else {
      facts.note(.metadataNotRead, "the text chunk \(keyword) is not a profile in hexadecimal")
      return
    }
    switch keyword.lowercased().dropFirst(Self.profiles.count) {
    case "exif",
      "app1" where profile.starts(with: "Exif\0\0".utf8):
      facts.exif.append(MetadataPart(exif: profile, at: nil))
    case "app1" where profile.starts(with: Self.segment):
      facts.xmp.append(MetadataPart(Array(profile.dropFirst(Self.segment.count)), at: nil))
    case "xmp": facts.xmp.append(MetadataPart(profile, at: nil))
    default: break
    }
  }

  /// Returns the text of a chunk (PNG, 11.3.3); nil if it cannot be decompressed, or not within the limit of all of them.
  private mutating func text(_ type: String, _ content: [UInt8], after start: Int) -> [UInt8]? {
    var rest = content.dropFirst(start)
    guard type != "tEXt" else { return Array(rest) }
    var isCompressed = true
    if type == "iTXt" {
      isCompressed = rest.first == 1
      rest = rest.dropFirst()
    }
    // The method; 0 is the only one.
    guard rest.popFirst() == 0 else { return nil }
    if type == "iTXt" {
      // The language and the translated keyword.
      for _ in 0..<2 { rest = rest.drop { $0 != 0 }.dropFirst() }
    }
    return isCompressed ? Inflation.zlib(Array(rest), room: &room) : Array(rest)
  }

  /// Returns the bytes of a profile: its name and length, each on a line, then hexadecimal digits.
  private static func profile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in lines[2] where ![0x0A, 0x0D, 0x20, 0].contains(byte) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      if let first = high { bytes.append(first << 4 | UInt8(digit)) }
      high = high == nil ? UInt8(digit) : nil
    }
    return bytes
  }
}
