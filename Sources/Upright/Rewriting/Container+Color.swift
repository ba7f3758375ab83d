internal import JPEGCore

extension Container {
  /// Returns the colour space of the components by libjpeg's rules: YCbCr with a JFIF segment, else by Adobe's marker,
  /// else by the component identifiers.
  func color(_ frame: Frame, _ bytes: Span<UInt8>) -> Distortion.Color {
    guard frame.components.count == 3 else { return .components }
    if segments.contains(where: { $0.kind(in: bytes) == .jfif }) { return .yCbCr }
    if let adobe = segments.first(where: { $0.kind(in: bytes) == .adobe }) {
      let transform = adobe.payload.lowerBound + 11
      return adobe.payload.contains(transform) && bytes[transform] == 0 ? .components : .yCbCr
    }
    return frame.components.map { $0.identifier } == Array("RGB".utf8) ? .components : .yCbCr
  }
}

extension RasterTransform {
  /// Returns the colour space of the components.
  func color(_ bytes: Span<UInt8>) -> Distortion.Color { container.color(frame, bytes) }
}
