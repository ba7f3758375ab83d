// What the sources use of UIKit, as Apple declares it, for tools/check/apple.

@available(iOS 2.0, watchOS 2.0, tvOS 9.0, *)
open class UIImage {
  public enum Orientation: Int, Sendable {
    case up
    case down
    case left
    case right
    case upMirrored
    case downMirrored
    case leftMirrored
    case rightMirrored
  }
}
