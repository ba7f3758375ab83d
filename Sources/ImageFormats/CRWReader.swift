internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation

/// Reads a Canon raw file until 2004 (Camera Image File Format 1.0): heaps of records, each with a directory at its end.
struct CRWReader {
  /// What follows the byte order and the length of the header.
  static let signature: StaticString = "HEAPCCDR"

  private var facts = FormatHeader(.crw)

  /// The maximum number of heaps that are read.
  private static let maxHeaps = 64
  /// The number of bytes at the end of a heap that usually have its directory.
  private static let directoryRead = 256
  private static let entrySize = 10

  private enum Tag {
    /// The size and the rotation of the image.
    static let imageInfo: UInt16 = 0x1810
    static let makeAndModel: UInt16 = 0x080A
    /// The bits that tell where the value is; if none is set, in the heap.
    static let storage: UInt16 = 0xC000
    /// The bits of the type, and the types of heaps within a heap.
    static let type: UInt16 = 0x3800
    static let heaps: [UInt16] = [0x2800, 0x3000]
  }

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    let header = try file.bytes(0..<14)
    let start = header.span.uint32(at: 2, .little)?.length ?? 0
    guard start <= file.size else {
      throw .content(.truncated(at: file.size, "the CRW file ends within its header"))
    }
    do throws(HeaderError<Failure>) { try readHeaps(start..<file.size, &file) } catch {
      // The orientation does not depend on the camera.
      guard facts.stated != nil, case .content = error else { throw error }
      facts.note(.metadataNotRead, "the make and the model of the camera cannot be read")
    }
    guard facts.stated != nil else {
      let text = "the CRW file has no record ImageInfo, which has its rotation"
      throw .content(.malformed(at: start, text))
    }
    return facts
  }

  /// Reads the heap and those in it until the image and the camera are known.
  private mutating func readHeaps<Failure>(
    _ whole: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    var heaps = [whole]
    var next = 0
    while next < heaps.count, facts.stated == nil || facts.make == nil {
      for record in try Self.records(of: heaps[next], &file) {
        switch record.tag {
        case Tag.imageInfo: try readImage(record.value, &file)
        case Tag.makeAndModel: try readCamera(record.value, &file)
        case _ where heaps.count < Self.maxHeaps: heaps.append(record.value)
        default: break
        }
      }
      next += 1
    }
  }

  /// Returns the records of a heap that are needed, and the heaps in it.
  private static func records<Failure>(
    of heap: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> [(tag: UInt16, value: Range<Int>)] {
    // The offset of the directory is the last number.
    let end = heap.upperBound - 4
    let tail = try file.bytes(heap.suffix(directoryRead))
    let start = heap.lowerBound + (tail.span.uint32(at: tail.count - 4, .little)?.length ?? 0)
    guard start <= end - 2 else {
      throw .content(.malformed(at: max(end, 0), "the directory of a heap is not within it"))
    }
    let head = try file.bytes(start..<start + 2)
    let first = start + 2
    let next = first + Int(head.span.uint16(at: 0, .little) ?? 0) * entrySize
    guard next <= end else {
      throw .content(.malformed(at: start, "the directory of a heap is longer than the heap"))
    }
    let entries = try file.bytes(first..<next)
    var records: [(tag: UInt16, value: Range<Int>)] = []
    for place in stride(from: 0, to: entries.count, by: entrySize) {
      guard let tag = entries.span.uint16(at: place, .little),
        let length = entries.span.uint32(at: place + 2, .little)?.length,
        let offset = entries.span.uint32(at: place + 6, .little)?.length,
        tag & Tag.storage == 0,
        tag == Tag.imageInfo || tag == Tag.makeAndModel || Tag.heaps.contains(tag & Tag.type)
      else { continue }
      guard length <= heap.count, offset <= heap.count - length else {
        let text = "a record of the CRW file is not within its heap"
        throw .content(.malformed(at: first + place, text))
      }
      let value = heap.lowerBound + offset
      records.append((tag, value..<value + length))
    }
    return records
  }

  private mutating func readImage<Failure>(
    _ record: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    // The aspect ratio of pixels is before the rotation.
    let numbers = try file.bytes(record.prefix(16))
    guard let width = numbers.span.uint32(at: 0, .little),
      let height = numbers.span.uint32(at: 4, .little),
      let bits = numbers.span.uint32(at: 12, .little)
    else {
      throw .content(.malformed(at: record.lowerBound, "the record ImageInfo is too short"))
    }
    let degrees = Int32(bitPattern: bits)
    guard let rotation = OrientationTransform(clockwiseDegrees: degrees) else {
      let text = "the CRW file has a rotation by \(degrees)°, which is no multiple of 90°"
      throw .content(.malformed(at: record.lowerBound + 12, text))
    }
    facts.stated = rotation
    (facts.width, facts.height) = (width.length, height.length)
  }

  /// Reads the two texts, each of which ends with a NUL.
  private mutating func readCamera<Failure>(
    _ record: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    let texts = try file.bytes(record.prefix(256)).split(separator: 0, maxSplits: 2)
    guard texts.count >= 2 else { return }
    facts.make = String(decoding: texts[0], as: UTF8.self)
    facts.model = String(decoding: texts[1], as: UTF8.self)
  }
}
