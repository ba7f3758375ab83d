import FileBytes
import JPEGCore

/// Exif whose fields share so many bytes that not all of them are read.
enum SharedFields {
  /// A block whose IFD0 has the Orientation 6 and so many fields with the same 4096 bytes, after or before it.
  static func block(_ count: Int = 300, orientationIsLast: Bool = false) -> [UInt8] {
    let start = UInt32(8 + 2 + 12 * (count + 1) + 4)
    let header = Array("MM\0*".utf8) + UInt32(8).bytes(.big) + UInt16(count + 1).bytes(.big)
    let orientation: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let field: [UInt8] = [0x90, 0, 0, 7, 0, 0, 0x10, 0] + start.bytes(.big)
    let fields = (0..<count).flatMap { _ in field }
    let entries = orientationIsLast ? fields + orientation : orientation + fields
    return header + entries + [UInt8](repeating: 0, count: 4 + 0x1000)
  }

  /// The segment of such a block.
  static func segment(orientationIsLast: Bool = false) -> [UInt8] {
    SegmentBytes.exif(block(orientationIsLast: orientationIsLast)) ?? []
  }
}
