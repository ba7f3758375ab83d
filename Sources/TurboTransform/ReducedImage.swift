#if canImport(CTurboJPEG)
internal import CTurboJPEG
package import JPEGCore

/// A small rendition of an image, in RGB.
package struct ReducedImage: Sendable {
  package private(set) var width: Int
  package private(set) var height: Int
  /// Height × width × 3 bytes.
  package private(set) var pixels: [UInt8]

  /// Decodes an image at a fraction of its size and reduces it further, to sides of at most `maxSide` pixels.
  ///
  /// The stream has the segments that specify its color encoding.
  package init(_ stream: [UInt8], frame: Frame, maxSide: Int) throws(TransformError) {
    // libjpeg scales by eighths.
    let full = max(frame.width, frame.height)
    let eighths = (1...8).first { (full * $0).dividedUp(by: 8) >= maxSide } ?? 8
    width = (frame.width * eighths).dividedUp(by: 8)
    height = (frame.height * eighths).dividedUp(by: 8)
    pixels = try Self.decode(stream, width, height, isCMYK: frame.components.count == 4)
    self = reduced(maxSide: maxSide)
  }

  private init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  private static func decode(
    _ stream: [UInt8],
    _ width: Int,
    _ height: Int,
    isCMYK: Bool
  ) throws(TransformError) -> [UInt8] {
    guard let handle = unsafe tjInitDecompress() else { throw .outOfMemory }
    defer { unsafe tjDestroy(handle) }
    var pixels = [UInt8](repeating: 0, count: width * height * (isCMYK ? 4 : 3))
    let status = unsafe tjDecompress2(
      handle,
      stream,
      UInt(stream.count),
      &pixels,
      Int32(width),
      0,
      Int32(height),
      isCMYK ? TJPF_CMYK.rawValue.asInt32 : TJPF_RGB.rawValue.asInt32,
      TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
    )
    guard status == 0 else { throw .damaged(unsafe String(cString: tjGetErrorStr2(handle))) }
    guard isCMYK else { return pixels }
    // Adobe stores CMYK inverted.
    return (0..<width * height).flatMap { index in
      let black = Int(pixels[index * 4 + 3])
      return (0..<3).map { UInt8(Int(pixels[index * 4 + $0]) * black / 255) }
    }
  }

  /// Returns the rendition, reduced until its longer side has at most `maxSide` pixels.
  package func reduced(maxSide: Int) -> ReducedImage {
    let full = max(width, height)
    guard full > maxSide else { return self }
    let (columns, rows) = (
      max((2 * width * maxSide + full) / (2 * full), 1),
      max((2 * height * maxSide + full) / (2 * full), 1)
    )
    var result: [UInt8] = []
    result.reserveCapacity(columns * rows * 3)
    for row in 0..<rows {
      let y = row * height / rows..<((row + 1) * height).dividedUp(by: rows)
      for column in 0..<columns {
        let x = column * width / columns..<((column + 1) * width).dividedUp(by: columns)
        for sample in 0..<3 {
          var sum = 0
          for line in y {
            for place in x { sum += Int(pixels[(line * width + place) * 3 + sample]) }
          }
          let count = x.count * y.count
          result.append(UInt8((sum + count / 2) / count))
        }
      }
    }
    return ReducedImage(width: columns, height: rows, pixels: result)
  }

  /// Returns the rendition as a 4:2:0 JPEG stream without application segments, as thumbnails are; nil if there is not
  /// enough memory.
  package func encoded(quality: Int) -> [UInt8]? {
    guard let handle = unsafe tjInitCompress() else { return nil }
    defer { unsafe tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { unsafe tjFree(output) }
    let status = unsafe tjCompress2(
      handle,
      pixels,
      Int32(width),
      0,
      Int32(height),
      TJPF_RGB.rawValue.asInt32,
      &output,
      &size,
      TJSAMP_420.rawValue.asInt32,
      Int32(quality),
      TJFLAG_ACCURATEDCT
    )
    guard status == 0, let output = unsafe output else { return nil }
    let stream = unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
    return try? Container(stream.span).decodableStream(stream)
  }
}

extension BinaryInteger {
  /// The number as an Int32, which the library's functions take.
  fileprivate var asInt32: Int32 { Int32(self) }
}
#endif
