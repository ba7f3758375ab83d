#if canImport(CTurboJPEG)
internal import CTurboJPEG
internal import FileBytes
package import ImageOrientation
internal import JPEGCore

/// TurboJPEG's lossless transform of a whole image: the reference for Upright's own.
///
/// It transforms images that Upright's decoder declines, and verifies all others on request. Every warning of the
/// library is an error, because it means that data was missing.
package enum LosslessTransform {
  /// Transforms an image to a baseline stream with the example Huffman tables of T.81, Annex K; fails if they have no
  /// code for a coefficient.
  ///
  /// The given stream has no application segments. The transform must be perfect, unless partial MCUs that it would
  /// move to the left or the top are removed (`trims`).
  package static func stream(
    _ stream: [UInt8],
    transformedBy transform: OrientationTransform,
    trims: Bool = false
  ) throws(TransformError) -> [UInt8] {
    var request = unsafe tjtransform()
    unsafe request.op = transform.operation
    unsafe request.options = TJXOPT_COPYNONE | (trims ? TJXOPT_TRIM : TJXOPT_PERFECT)
    unsafe request.customFilter = { row, region, _, _, _, _ in
      guard let row = unsafe row else { return -1 }
      let coefficients = unsafe UnsafeBufferPointer(start: row, count: Int(region.w) * 8)
      return unsafe LosslessTransform.haveCodes(coefficients) ? 0 : -1
    }
    var output: [UInt8] = []
    unsafe try run(stream, &request) { unsafe output = Array($0) }
    return output
  }

  /// Returns whether the example tables have codes for all coefficients of some blocks.
  ///
  /// The library does not check this and writes wrong codes. There are codes for AC coefficients of 10 bits and for DC
  /// differences of 11 bits.
  private static func haveCodes(_ coefficients: UnsafeBufferPointer<Int16>) -> Bool {
    for block in stride(from: 0, to: coefficients.count, by: 64) {
      guard unsafe (-1_024...1_023).contains(coefficients[block]) else { return false }
      for index in block + 1..<block + 64 {
        guard unsafe (-1_023...1_023).contains(coefficients[index]) else { return false }
      }
    }
    return true
  }

  /// Returns digests of the coefficients of a transformed image, one for each row of blocks in the library's order.
  ///
  /// The stream has no application segments, and the transform is perfect for the image, or trims it.
  package static func digests(
    _ stream: [UInt8],
    transformedBy transform: OrientationTransform
  ) throws(TransformError) -> [UInt64] {
    let collector = DigestCollector()
    var request = unsafe tjtransform()
    unsafe request.op = transform.operation
    unsafe request.options = TJXOPT_NOOUTPUT | TJXOPT_COPYNONE | TJXOPT_TRIM
    unsafe request.data = Unmanaged.passUnretained(collector).toOpaque()
    unsafe request.customFilter = { row, region, plane, component, _, transform in
      guard let row = unsafe row, let context = unsafe transform?.pointee.data else { return -1 }
      // The library also passes rows of padding blocks below the image.
      guard region.y < plane.h else { return 0 }
      unsafe Unmanaged<DigestCollector>.fromOpaque(context).takeUnretainedValue()
        .collect(UnsafeRawBufferPointer(start: row, count: Int(region.w) * 16), component)
      return 0
    }
    try withExtendedLifetime(collector) { () throws(TransformError) in
      unsafe try run(stream, &request) { _ in }
    }
    return collector.digests
  }

  /// Runs the library's transform with a new handle: TurboJPEG 2.1 keeps tables of earlier images in a handle.
  private static func run(
    _ stream: [UInt8],
    _ transform: inout tjtransform,
    _ take: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(TransformError) {
    guard let handle = unsafe tjInitTransform() else { throw .outOfMemory }
    defer { unsafe tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { unsafe tjFree(output) }
    let status = unsafe tjTransform(
      handle,
      stream,
      UInt(stream.count),
      1,
      &output,
      &size,
      &transform,
      TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
    )
    guard status == 0 else {
      let message = unsafe String(cString: tjGetErrorStr2(handle))
      let bytes = Array(message.utf8)
      // `String.contains` would link the engine for regular expressions.
      func has(_ part: StaticString) -> Bool {
        bytes.span.firstOffset(of: part, in: bytes.indices) != nil
      }
      if has("Insufficient memory") { throw .outOfMemory }
      if has("subsampling type") { throw .unknownSampling(message) }
      // TurboJPEG reports that a filter of this file refused a coefficient.
      let isFilter = has("custom filter")
      throw .damaged(isFilter ? "a coefficient is out of the range of baseline images" : message)
    }
    unsafe take(UnsafeBufferPointer(start: output, count: Int(size)))
  }
}

/// Computes digests of rows of coefficients.
private final class DigestCollector {
  private(set) var digests: [UInt64] = []

  func collect(_ row: UnsafeRawBufferPointer, _ component: Int32) {
    // Two lanes of multiply and rotate: every changed bit changes the digest, at every position.
    var (a, b) = (UInt64(truncatingIfNeeded: component) &+ 0x9E37_79B9_7F4A_7C15, ~UInt64(0))
    for place in stride(from: 0, to: row.count, by: 16) {
      let first = unsafe row.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let second = unsafe row.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
      a = (a ^ first) &* 0x9FB2_1C65_1E98_DF25
      b = (b ^ second) &* 0xD6E8_FEB8_6659_FD93
      a = a &<< 29 | a &>> 35
      b = b &<< 31 | b &>> 33
    }
    digests.append(a ^ (b &* 0xBF58_476D_1CE4_E5B9 &+ UInt64(row.count)))
  }
}

extension OrientationTransform {
  /// The corresponding TJXOP constant of TurboJPEG.
  fileprivate var operation: Int32 {
    let operation =
      switch (transposes, mirrorsX, mirrorsY) {
      case (false, false, false): TJXOP_NONE
      case (false, true, false): TJXOP_HFLIP
      case (false, false, true): TJXOP_VFLIP
      case (false, true, true): TJXOP_ROT180
      case (true, false, false): TJXOP_TRANSPOSE
      case (true, true, true): TJXOP_TRANSVERSE
      case (true, true, false): TJXOP_ROT90
      case (true, false, true): TJXOP_ROT270
      }
    return Int32(operation.rawValue)
  }
}
#endif
