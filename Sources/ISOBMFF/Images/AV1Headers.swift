internal import FileBytes

/// The headers of an AV1 image (AV1 Bitstream & Decoding Process, 5.3 to 5.9; AV1 Codec ISO Media File Format, 2.3).
enum AV1Headers {
  /// Returns what each sequence header determines, in the configuration and in the image, if it is known.
  static func read(
    _ bytes: Span<UInt8>,
    _ configuration: Box,
    _ content: [UInt8]?
  ) throws(FormatError) -> [CodedItem] {
    var fields = configuration.fields
    try fields.skip(2)
    let flags = try fields.integer(1, bytes)
    try fields.skip(1)
    var images: [CodedItem] = []
    var frames = 0
    func read(_ kind: Int, _ unit: [UInt8]) throws(FormatError) {
      switch kind {
      case 1: images.append(try sequence(unit, flags))
      // A frame header, or a frame.
      case 3, 6: frames += 1
      default: break
      }
    }
    try forEachUnit(bytes.bytes(fields.rest), read)
    guard let content else { return images }
    try forEachUnit(content, read)
    guard frames == 1 else {
      throw .unsupported("an AV1 image has \(frames) frames instead of one")
    }
    return images
  }

  /// Calls a function with the type and the content of each OBU.
  private static func forEachUnit(
    _ content: [UInt8],
    _ body: (Int, [UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    var place = 0
    while place < content.count {
      let header = content[place]
      place += header & 4 != 0 ? 2 : 1
      var length = content.count - place
      if header & 2 != 0 {
        // leb128.
        length = 0
        for index in 0..<8 {
          guard place < content.count else { break }
          let byte = content[place]
          place += 1
          length |= Int(byte & 0x7F) << (7 * index)
          if byte & 0x80 == 0 { break }
        }
      }
      guard length >= 0, length <= content.count - place else {
        throw .malformed("a unit of an AV1 image ends after the image")
      }
      try body(Int(header >> 3 & 15), Array(content[place..<place + length]))
      place += length
    }
  }

  /// Reads a sequence header up to the size (5.5.1).
  ///
  /// A frame may be smaller than its sequence; an image with such frames is not supported.
  private static func sequence(_ unit: [UInt8], _ flags: Int) throws(FormatError) -> CodedItem {
    var cursor = BitCursor(unit)
    try cursor.skip(3)
    // Whether it is a still image.
    try cursor.skip(1)
    let isReduced = try cursor.flag()
    if isReduced { try cursor.skip(5) } else { try skipOperatingPoints(&cursor) }
    let (widthBits, heightBits) = try (cursor.bits(4) + 1, cursor.bits(4) + 1)
    let (width, height) = try (cursor.bits(widthBits) + 1, cursor.bits(heightBits) + 1)
    let chroma: CodedItem.ChromaFormat =
      flags & 0x10 != 0
      ? .monochrome : flags & 0x08 == 0 ? .full : flags & 0x04 == 0 ? .halvedWidth : .halved
    let depth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
    return CodedItem(
      width: width,
      height: height,
      codedPixels: width * height,
      chroma: chroma,
      bitDepth: depth,
      chromaBitDepth: depth
    )
  }

  private static func skipOperatingPoints(_ cursor: inout BitCursor) throws(FormatError) {
    var delayBits: Int?
    // Timing.
    if try cursor.flag() {
      try cursor.skip(64)
      if try cursor.flag() { _ = try cursor.exponentialGolomb() }
      // The decoder model.
      if try cursor.flag() {
        delayBits = try cursor.bits(5) + 1
        try cursor.skip(42)
      }
    }
    let hasDisplayDelay = try cursor.flag()
    for _ in 0...(try cursor.bits(5)) {
      try cursor.skip(12)
      if try cursor.bits(5) > 7 { try cursor.skip(1) }
      if let delayBits, try cursor.flag() { try cursor.skip(2 * delayBits + 1) }
      if hasDisplayDelay, try cursor.flag() { try cursor.skip(4) }
    }
  }
}
