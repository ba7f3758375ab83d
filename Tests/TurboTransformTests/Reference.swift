import Fixtures
import ImageOrientation
import JPEGCore
import TurboTransform

extension ImageFile {
  /// The image as TurboJPEG transforms it.
  ///
  /// - Parameters:
  ///   - turn: The transform.
  ///   - trims: Whether partial MCUs are cut off that it would move to the left or the top.
  /// - Returns: A sequential stream.
  /// - Throws: ``TransformError``.
  func transformedByTurboJPEG(_ turn: Turn = .none, trims: Bool = false) throws -> ImageFile {
    try ImageFile(try LosslessTransform.stream(stream, transformedBy: turn, trims: trims))
  }
}
