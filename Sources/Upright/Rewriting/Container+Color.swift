internal import JPEGCore

extension Container {
  /// What the components of an image say of colours, by libjpeg's rules: JFIF is YCbCr, then Adobe's marker decides,
  /// then the components' identifiers.
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
  /// What the components say of colours.
  func color(_ bytes: Span<UInt8>) -> Distortion.Color { container.color(frame, bytes) }
}
