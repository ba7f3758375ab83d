import Fixtures
import ImageOrientation
import JPEGCore
import TurboTransform

extension ImageFile {
  /// Returns the image, transformed by TurboJPEG.
  ///
  /// - Parameters:
  ///   - transform: The transform.
  ///   - trims: Whether partial MCUs that would move to the left or the top are removed.
  /// - Returns: A sequential stream.
  /// - Throws: ``TransformError``.
  func transformedByTurboJPEG(
    _ transform: OrientationTransform = .none,
    trims: Bool = false
  ) throws -> ImageFile {
    try ImageFile(try LosslessTransform.stream(stream, transformedBy: transform, trims: trims))
  }

  /// Returns the file without the stray bytes after the last MCU of each scan and restart interval that Upright's decoder
  /// reports.
  ///
  /// libjpeg warns of such bytes if they are more than it has read ahead.
  func withoutStrayBytes() throws -> ImageFile {
    let info = try decode().info
    guard info.strayByteCount > 0 else { return self }
    var result = bytes
    for (scan, found) in zip(container.scans, info.scans).reversed() {
      let end = scan.data.upperBound - found.strayBytes.count
      result.removeSubrange(end..<scan.data.upperBound)
      let markers = (scan.data.lowerBound..<end).dropLast().filter {
        result[$0] == 0xFF && (0xD0...0xD7).contains(result[$0 + 1])
      }
      for (number, stray) in found.intervalBytes.sorted(by: { $0.key > $1.key }) {
        result.removeSubrange(markers[number] - stray.count..<markers[number])
      }
    }
    return try ImageFile(result)
  }

  /// Whether TurboJPEG has a name for the image's sampling.
  var isKnownToTurboJPEG: Bool {
    do {
      _ = try transformedByTurboJPEG()
      return true
    } catch TransformError.unknownSampling {
      return false
    } catch { return true }
  }
}
