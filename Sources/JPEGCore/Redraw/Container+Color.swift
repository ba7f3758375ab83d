extension Container {
  /// Returns the color space of the components by libjpeg's rules: three are YCbCr with a JFIF segment, else by Adobe's
  /// marker, else by the component identifiers; four are CMYK or YCCK by Adobe's marker.
  package func color(_ frame: Frame, _ bytes: Span<UInt8>) -> Distortion.Color {
    // Later segments are ignored, and those that are too short.
    let leading = leadingSegments
    func last(_ kind: SegmentKind, ofAtLeast count: Int) -> Segment? {
      leading.last { $0.kind(in: bytes) == kind && $0.payload.count >= count }
    }
    let transform = last(.adobe, ofAtLeast: 12).map { bytes[$0.payload.lowerBound + 11] }
    switch frame.components.count {
    case 3:
      if last(.jfif, ofAtLeast: 14) != nil { return .yCbCr }
      if let transform { return transform == 0 ? .components : .yCbCr }
      return frame.components.map { $0.identifier } == Array("RGB".utf8) ? .components : .yCbCr
    case 4: return (transform ?? 0) == 0 ? .cmyk : .ycck
    default: return .components
    }
  }
}
