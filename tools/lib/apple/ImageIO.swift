// What the sources use of ImageIO, as Apple declares it, for tools/check/apple.

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  case leftMirrored
  case right
  case rightMirrored
  case left
}
