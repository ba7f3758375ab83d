internal import JPEGCore

/// The trailer of Samsung phones: blocks listed in SEFH, which SEFT at the end of the file locates (specification,
/// section 5).
enum SamsungTrailer {
  /// Returns whether a block in the trailer contains offsets from the start of the file.
  static func hasAbsoluteOffsets(_ bytes: [UInt8], after end: Int) -> Bool {
    bytes.span.firstOffset(of: "QDIOBS", in: max(end, bytes.count - (1 << 16))..<bytes.count) != nil
  }
}
