internal import JPEGCore

/// The limits of decoding an image, which are checked before it is decoded.
///
/// A small file can be expensive: a frame header can give 2^32 pixels, and each scan of a progressive image visits all
/// blocks.
package struct DecodingLimits: Sendable {
  private let options: Options
  /// The size of the file in bytes; 0 if it is unknown or irrelevant.
  private let size: Int

  package init(_ options: Options, size: Int? = nil) {
    self.options = options
    self.size = size ?? 0
  }

  /// Returns why an image whose structure is known is not decoded, or nil if it is within the limits.
  package func refusal(_ header: Header, isReencoded: Bool) -> Reason? {
    refusal(header.frame, scans: header.container.scans.count, isReencoded: isReencoded)
  }

  /// Returns why an image is not decoded, or nil if it is within the limits.
  func refusal(_ frame: Frame, scans: Int, isReencoded: Bool) -> Reason? {
    if frame.pixelCount > options.maxPixels {
      return .pixelLimit(frame.width, frame.height, options.maxPixels)
    }
    if let reason = refusal(memory: memory(frame, isReencoded: isReencoded)) { return reason }
    let blocks = Self.blocks(frame)
    if scans > options.maxScans { return .scanLimit(scans, options.maxScans) }
    if blocks > options.maxBlockVisits / max(scans, 1) { return .scanLimit(scans, blocks: blocks) }
    return nil
  }

  /// Returns why work that needs `need` bytes of memory is not done, or nil if it is within the limit.
  func refusal(memory need: Int64) -> Reason? {
    guard let maxMemory = options.maxMemory, need > maxMemory else { return nil }
    return .memoryLimit(need, maxMemory)
  }

  func memory(_ frame: Frame, isReencoded: Bool) -> Int64 {
    let block = Int64(isReencoded ? Self.bytesPerReencodedBlock : Self.bytesPerBlock)
    return Int64(Self.blocks(frame)) * block + memoryOfFile
  }

  /// The estimated memory of the file while it is rewritten, in bytes: the file, its result, and the original that is
  /// restored from it in two steps.
  var memoryOfFile: Int64 { 4 * min(Int64(size), 1 << 60) }

  private static func blocks(_ frame: Frame) -> Int {
    CoefficientImage.planes(of: frame).reduce(0) { $0 + $1.columns * $1.rows }
  }

  /// Bytes of memory for a block that is decoded, transformed, encoded and decoded again, as measured.
  private static let bytesPerBlock = 300
  /// Bytes of memory for a block that is also decoded into samples and re-encoded.
  private static let bytesPerReencodedBlock = 520
}
