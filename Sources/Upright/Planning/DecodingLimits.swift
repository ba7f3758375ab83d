internal import JPEGCore

/// What decoding an image may cost, so that a small file cannot ask for much.
///
/// A frame header of ten bytes claims four thousand million pixels, and each scan of a progressive image
/// goes through all of its blocks again: both are looked at before anything is decoded.
struct DecodingLimits {
  var maxPixels: Int
  var maxScans: Int
  var maxBlockVisits: Int
  var maxMemory: Int?
  /// The size of the file that the image is in; 0 where that is not known or does not matter.
  var size: Int

  init(_ options: Options, size: Int? = nil) {
    maxPixels = options.maxPixels
    maxScans = options.maxScans
    maxBlockVisits = options.maxBlockVisits
    maxMemory = options.maxMemory
    self.size = size ?? 0
  }

  /// Why an image is not decoded; nil when it is within the limits.
  ///
  /// - Parameters:
  ///   - frame: The image's frame.
  ///   - scans: How many scans it has; nil where that is not known yet.
  ///   - isRedrawn: Whether it is decoded into samples.
  /// - Returns: The reason, if any.
  func refusal(_ frame: Frame, scans: Int?, isReencoded: Bool) -> Reason? {
    if frame.pixelCount > maxPixels {
      return .pixelLimit(frame.width, frame.height, maxPixels)
    }
    if let reason = refusal(memory: memory(frame, isReencoded: isReencoded)) { return reason }
    guard let scans else { return nil }
    let blocks = Self.blocks(frame)
    if scans > maxScans || blocks > maxBlockVisits / max(scans, 1) {
      return .scanLimit(scans, blocks)
    }
    return nil
  }

  /// Why work is not done that is estimated to take so many bytes of memory; nil when it is within the limit.
  func refusal(memory need: Int) -> Reason? {
    guard let maxMemory, need > maxMemory else { return nil }
    return .memoryLimit(need, maxMemory)
  }

  /// The bytes of memory that transforming an image is estimated to take.
  func memory(_ frame: Frame, isReencoded: Bool) -> Int {
    let block = Int64(isReencoded ? Self.bytesPerReencodedBlock : Self.bytesPerBlock)
    return Int(clamping: Int64(Self.blocks(frame)) * block + Int64(memoryOfFile))
  }

  /// The bytes of memory that the file is estimated to take while it is rewritten: itself, its result, and the
  /// original that is restored from that in two steps.
  var memoryOfFile: Int { Int(clamping: 4 * min(Int64(size), 1 << 60)) }

  private static func blocks(_ frame: Frame) -> Int {
    CoefficientImage.planes(of: frame).reduce(0) { $0 + $1.columns * $1.rows }
  }

  /// Bytes of memory for a block whose coefficients are read, transformed, coded and read again, by measurement.
  private static let bytesPerBlock = 300
  /// The same, for one that is also decoded into samples and encoded again.
  private static let bytesPerReencodedBlock = 520
}

extension DecodingLimits {
  /// Refuses what the limits refuse.
  ///
  /// - Throws: ``PictureRewriter/Failure`` `refused`.
  func check(_ raster: RasterTransform) throws(ImageRewriter.Failure) {
    var isReencoded = false
    if case .redraw = raster.partialMCUs { isReencoded = true }
    let scans = raster.container.scans.count
    if let reason = refusal(raster.frame, scans: scans, isReencoded: isReencoded) {
      throw .refused(reason)
    }
  }
}
