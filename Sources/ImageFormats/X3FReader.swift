internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation

/// Reads the header of a Sigma raw file (X3F), which has the size and the rotation.
struct X3FReader {
  static let signature: StaticString = "FOVb"

  /// The versions of the format whose headers are known.
  private static let versions: ClosedRange<UInt32> = 2...5

  static func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    let head = try file.bytes(0..<8)
    let version = (head.span.uint32(at: 4, .little) ?? 0) >> 16
    guard versions.contains(version) else {
      let text = "version \(version) of the format X3F is not known"
      throw .content(.unsupported(at: 4, text))
    }
    // From version 4 on, three numbers more are before the size.
    let start = version < 4 ? 28 : 40
    let numbers = try file.bytes(start..<start + 12)
    var facts = FormatHeader(.x3f)
    facts.width = numbers.span.uint32(at: 0, .little)?.length ?? 0
    facts.height = numbers.span.uint32(at: 4, .little)?.length ?? 0
    let degrees = Int32(bitPattern: numbers.span.uint32(at: 8, .little) ?? 0)
    guard let rotation = OrientationTransform(clockwiseDegrees: degrees) else {
      let text = "the X3F file has a rotation by \(degrees)°, which is no multiple of 90°"
      throw .content(.malformed(at: start + 8, text))
    }
    facts.stated = rotation
    return facts
  }
}
