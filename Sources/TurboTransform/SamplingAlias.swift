internal import JPEGCore

/// Another frame that the same entropy-coded data can be read as.
///
/// TurboJPEG 2.1 knows 4:1:1, four luminance blocks side by side, but not 4:4:1, four below each other. In one
/// interleaved scan the blocks of an MCU follow each other whatever their arrangement, so that a frame header
/// that says 4:1:1, with as many MCUs, gives the same blocks in other places.
struct SamplingAlias {
  /// The frame to show the library; its MCUs are whole.
  let frame: Frame

  /// The alias of a 4:4:1 frame; nil for every other.
  init?(_ frame: Frame) {
    guard frame.components.count == 3, !frame.process.isProgressive,
      (frame.components[0].horizontal, frame.components[0].vertical) == (1, 4),
      frame.components.dropFirst().allSatisfy({ ($0.horizontal, $0.vertical) == (1, 1) })
    else { return nil }
    var alias = frame
    alias.components[0].horizontal = 4
    alias.components[0].vertical = 1
    alias.width = frame.width.dividedUp(by: 8) * 32
    alias.height = frame.height.dividedUp(by: 32) * 8
    guard alias.width <= 65_500 else { return nil }
    self.frame = alias
  }

  /// Where a block of the alias really stands.
  @inline(__always)
  func place(_ component: Int, column: Int, row: Int) -> (column: Int, row: Int) {
    component == 0 ? (column / 4, row * 4 + column % 4) : (column, row)
  }

  /// The stream with the alias in its frame header.
  func stream(_ stream: [UInt8], _ frame: Frame) -> [UInt8]? {
    guard let container = try? Container(stream.span) else { return nil }
    return FrameRewriter(container, from: frame, to: self.frame).headerEdits(stream.span)
      .applied(to: stream)
  }
}
