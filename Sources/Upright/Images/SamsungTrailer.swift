internal import JPEGCore

/// The trailer that Samsung's phones write: blocks listed by SEFH, found from SEFT at the end of the file
/// (specification, section 5).
enum SamsungTrailer {
  /// Whether a block in the trailer holds offsets that count from the start of the file.
  static func hasAbsoluteOffsets(_ bytes: [UInt8], after end: Int) -> Bool {
    bytes.span.firstOffset(of: "QDIOBS", in: max(end, bytes.count - (1 << 16))..<bytes.count) != nil
  }
}
