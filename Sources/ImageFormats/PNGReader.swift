internal import JPEGCore

/// Reads the chunks of a PNG file (PNG, third edition, 5 and 11).
struct PNGReader: Sendable {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private var facts = ImageFacts(.png)
  private var position = signature.count
  private var chunks = 0
  /// Exif of chunks `eXIf`, which come before that of text chunks.
  private var count = 0

  private var texts = 0

  private static let maxChunks = 1_000_000
  /// The number of text chunks that are decompressed.
  private static let maxTexts = 16

  mutating func read(_ file: FileWindow) throws(ReadingStop) -> ImageFacts {
    while position < file.size {
      let header = try file.bytes(position..<position + 8)
      let length = header.span.uint32(at: 0)?.length ?? 0
      let type = String(decoding: header[4...], as: UTF8.self)
      guard chunks > 0 || type == "IHDR" else {
        throw .malformed(at: position, "the first chunk of the PNG file is not IHDR")
      }
      guard chunks < Self.maxChunks else {
        throw .failed(.limit, offset: position, "there are more than \(Self.maxChunks) chunks")
      }
      if type == "IEND" { return facts }
      let content = position + 8..<position + 8 + length
      switch type {
      case "IHDR": try readSize(file.bytes(content.prefix(8)))
      case "eXIf":
        let chunk = try file.bytes(position + 4..<content.upperBound)
        facts.exif.insert(MetadataPart(exif: chunk, after: 4, at: position + 4), at: count)
        count += 1
      case "tEXt", "zTXt", "iTXt":
        if texts < Self.maxTexts,
          try isMetadata(file.bytes(at: content.lowerBound, upTo: min(32, length)))
        {
          let chunk = try file.bytes(position + 4..<content.upperBound)
          texts += 1
          readText(type, chunk)
        }
      case "IDAT": facts.placeForChunk = facts.placeForChunk ?? position
      case "caBX": facts.hasCredentials = true
      default: break
      }
      // Only now, because a read that needs more bytes is started again.
      chunks += 1
      position = content.upperBound + 4
    }
    guard facts.placeForChunk != nil else {
      throw .failed(.truncated, offset: file.size, "the PNG file ends before its image")
    }
    facts.notes.append("the PNG file ends before its chunk IEND")
    return facts
  }

  private mutating func readSize(_ bytes: [UInt8]) throws(ReadingStop) {
    guard let width = bytes.span.uint32(at: 0), let height = bytes.span.uint32(at: 4) else {
      throw .malformed(at: position, "the chunk IHDR is too short")
    }
    (facts.width, facts.height) = (width.length, height.length)
  }

  private static let xmp = "XML:com.adobe.xmp"
  private static let profiles = "raw profile type "

  private func isMetadata(_ beginning: [UInt8]) -> Bool {
    let keyword = Self.keyword(beginning)
    return keyword == Self.xmp || keyword.lowercased().hasPrefix(Self.profiles)
  }

  private static func keyword(_ content: [UInt8]) -> String {
    String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads a text chunk with XMP, or with a profile as ImageMagick writes it.
  private mutating func readText(_ type: String, _ chunk: [UInt8]) {
    let content = Array(chunk.dropFirst(4))
    let keyword = Self.keyword(content)
    guard let text = Self.text(type, content, after: keyword.utf8.count + 1) else {
      facts.notes.append("the text chunk \(keyword) cannot be read")
      return
    }
    if keyword == Self.xmp {
      let isPlain = chunk.suffix(text.count).elementsEqual(text)
      let packet =
        isPlain
        ? MetadataPart(chunk, chunk.count - text.count..<chunk.count, at: position + 4)
        : MetadataPart(text, at: nil)
      return facts.xmp.append(packet)
    }
    guard let profile = Self.profile(text) else {
      facts.notes.append("the text chunk \(keyword) is not a profile in hexadecimal")
      return
    }
    switch keyword.lowercased().dropFirst(Self.profiles.count) {
    case "exif": facts.exif.append(MetadataPart(exif: profile, at: nil))
    case "xmp": facts.xmp.append(MetadataPart(profile, at: nil))
    case "app1":
      let identifier = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
      if profile.starts(with: "Exif\0\0".utf8) {
        facts.exif.append(MetadataPart(exif: profile, at: nil))
      } else if profile.starts(with: identifier) {
        facts.xmp.append(MetadataPart(Array(profile.dropFirst(identifier.count)), at: nil))
      }
    default: break
    }
  }

  /// Returns the text of a chunk (PNG, 11.3.3); nil if it cannot be decompressed.
  private static func text(_ type: String, _ content: [UInt8], after start: Int) -> [UInt8]? {
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
    return isCompressed ? Inflation.zlib(Array(rest), limit: FileWindow.maxPart) : Array(rest)
  }

  /// Returns the bytes of a profile: its name and length, each on a line, then hexadecimal digits.
  private static func profile(_ text: [UInt8]) -> [UInt8]? {
    let newline = UInt8(ascii: "\n")
    let lines = text.split(separator: newline, maxSplits: 2)
    guard lines.count == 3 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in lines[2] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      case newline, UInt8(ascii: "\r"), UInt8(ascii: " "), 0: continue
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }
}
