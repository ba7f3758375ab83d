internal import FileBytes

/// The headers of an HEVC image (ITU-T H.265; ISO/IEC 14496-15, 8.3.3).
enum HEVCHeaders {
  /// Returns what each sequence parameter set determines, in the configuration and in the image, if it is known.
  static func read(
    _ bytes: Span<UInt8>,
    _ configuration: Box,
    _ content: [UInt8]?
  ) throws(FormatError) -> [CodedItem] {
    var fields = configuration.fields
    try fields.skip(21)
    guard try fields.integer(1, bytes) & 3 == 3 else {
      throw .unsupported(
        at: configuration.range.lowerBound,
        "the lengths in the HEVC image do not have four bytes"
      )
    }
    var images: [CodedItem] = []
    for _ in 0..<(try fields.integer(1, bytes)) {
      try fields.skip(1)
      for _ in 0..<(try fields.integer(2, bytes)) {
        let length = try fields.integer(2, bytes)
        let start = fields.position
        try fields.skip(length)
        let unit = bytes.bytes(start..<fields.position)
        if isParameterSet(unit[...]) { images.append(try parameterSet(unit)) }
      }
    }
    guard let content else { return images }
    var count = 0
    try forEachUnit(content) { (unit) throws(FormatError) in
      if isParameterSet(unit) { images.append(try parameterSet(Array(unit))) }
      if startsImage(unit) { count += 1 }
    }
    guard count == 1 else {
      throw .malformed("an HEVC item has \(count) coded images instead of one")
    }
    return images
  }

  /// Calls a function with each NAL unit.
  private static func forEachUnit(
    _ content: [UInt8],
    _ body: (ArraySlice<UInt8>) throws(FormatError) -> Void
  ) throws(FormatError) {
    var place = 0
    while place < content.count {
      guard let length = content.span.uint32(at: place)?.length,
        length <= content.count - place - 4
      else { throw .malformed("a unit of an HEVC image ends after the image") }
      try body(content[place + 4..<place + 4 + length])
      place += 4 + length
    }
  }

  private static func kind(_ unit: ArraySlice<UInt8>) -> UInt8? {
    unit.count >= 3 ? unit[unit.startIndex] >> 1 & 63 : nil
  }

  private static func isParameterSet(_ unit: ArraySlice<UInt8>) -> Bool { kind(unit) == 33 }

  /// Whether a unit is the first slice segment of an image in the base layer.
  private static func startsImage(_ unit: ArraySlice<UInt8>) -> Bool {
    guard let kind = kind(unit), kind < 32 else { return false }
    let start = unit.startIndex
    let layer = (unit[start] & 1) << 5 | unit[start + 1] >> 3
    return layer == 0 && unit[start + 2] & 0x80 != 0
  }

  /// Reads a sequence parameter set up to the bit depths (7.3.2.2).
  private static func parameterSet(_ unit: [UInt8]) throws(FormatError) -> CodedItem {
    var cursor = BitCursor(withoutEmulationPrevention(unit.dropFirst(2)))
    try cursor.skip(4)
    let layers = try cursor.bits(3)
    try cursor.skip(1)
    try skipProfile(&cursor, layers)
    _ = try cursor.exponentialGolomb()
    let format = try cursor.exponentialGolomb()
    guard let chroma = CodedItem.ChromaFormat(rawValue: format) else {
      throw .malformed("an HEVC image has the chroma format \(format)")
    }
    if chroma == .full, try cursor.flag() {
      throw .unsupported("an HEVC image has separate color planes")
    }
    let (codedWidth, codedHeight) = try (cursor.exponentialGolomb(), cursor.exponentialGolomb())
    var (width, height) = (codedWidth, codedHeight)
    if try cursor.flag() {
      let unitWidth = chroma == .halved || chroma == .halvedWidth ? 2 : 1
      width -= try unitWidth * (cursor.exponentialGolomb() + cursor.exponentialGolomb())
      let unitHeight = chroma == .halved ? 2 : 1
      height -= try unitHeight * (cursor.exponentialGolomb() + cursor.exponentialGolomb())
    }
    guard width > 0, height > 0, max(codedWidth, codedHeight) < 1 << 20 else {
      throw .malformed("an HEVC image has \(width)×\(height) pixels")
    }
    return try CodedItem(
      width: width,
      height: height,
      codedPixels: codedWidth * codedHeight,
      chroma: chroma,
      bitDepth: 8 + cursor.exponentialGolomb(),
      chromaBitDepth: 8 + cursor.exponentialGolomb()
    )
  }

  /// Passes `profile_tier_level` (7.3.3).
  private static func skipProfile(_ cursor: inout BitCursor, _ layers: Int) throws(FormatError) {
    try cursor.skip(96)
    var skipped = 0
    for _ in 0..<layers {
      if try cursor.flag() { skipped += 88 }
      if try cursor.flag() { skipped += 8 }
    }
    if layers > 0 { skipped += 2 * (8 - layers) }
    try cursor.skip(skipped)
  }

  /// Returns the bytes without those that prevent the emulation of start codes (7.4.2).
  private static func withoutEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    return bytes
  }
}
