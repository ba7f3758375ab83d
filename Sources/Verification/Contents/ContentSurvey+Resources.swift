internal import FileBytes
internal import JPEGCore
internal import Upright

/// Photoshop's resources, JUMBF boxes and ICC profiles, which may be in several segments.
extension ContentSurvey {
  // MARK: Photoshop

  private static let signatures: [StaticString] = ["8BIM", "MeSa", "AgHg", "PHUT", "DCSR"]

  /// Surveys image resources (Photoshop File Formats Specification); `name` is for people.
  mutating func surveyResources(
    _ name: String,
    _ container: ContainerBytes,
    _ range: Range<Int>,
    depth: Int = 0
  ) {
    guard let block = part(of: container, range, depth) else { return }
    let bytes = block.bytes
    var place = 0
    while place < bytes.count {
      guard let resource = Self.resource(at: place, bytes.span) else {
        guard bytes[place...].contains(where: { $0 != 0 }) else { return }
        return addProblem(name, "a resource ends after them", at: block.offset(of: place))
      }
      let number = resource.number
      switch number {
      case 1058: surveyTIFF("Exif in \(name)", block, resource.data, depth: depth + 1)
      case 1033, 1036: addThumbnail(in: "Photoshop\u{2019}s resources", at: block.offset(of: place))
      case 1060: surveyXMP("XMP in \(name)", block, resource.data, depth: depth + 1)
      case _ where KnownSegments.containsResource(number): break
      default: add(.imageResource, "\(number)", at: block.offset(of: place))
      }
      place = max(resource.end, place + 1)
    }
  }

  private static func resource(
    at place: Int,
    _ bytes: Span<UInt8>
  ) -> (number: UInt16, data: Range<Int>, end: Int)? {
    guard signatures.contains(where: { bytes.hasPrefix($0, at: place) }),
      let number = bytes.uint16(at: place + 4), place + 6 < bytes.count
    else { return nil }
    let text = 1 + Int(bytes[place + 6])
    let field = place + 6 + text + text % 2
    guard let size = bytes.uint32(at: field), Int(clamping: size) <= bytes.count - field - 4 else {
      return nil
    }
    let data = field + 4..<field + 4 + Int(clamping: size)
    // The last one need not be padded.
    return (number, data, min(data.upperBound + data.count % 2, bytes.count))
  }

  // MARK: JUMBF

  /// Surveys the boxes in APP11 segments (ISO/IEC 18477-3, annex B; ISO/IEC 19566-5).
  mutating func surveyBoxes(_ segments: [Segment]) {
    let file = self.file
    let bytes = file.span
    var boxes: [UInt64: [(number: UInt32, segment: Segment)]] = [:]
    var order: [UInt64] = []
    for segment in segments {
      let start = segment.payload.lowerBound
      guard segment.payload.count >= Segment.boxHeaderLength,
        let instance = bytes.uint16(at: start + 2), let number = bytes.uint32(at: start + 4),
        let type = bytes.uint32(at: start + 12)
      else {
        addProblem("a JUMBF box", "its header is cut", at: segment.range.lowerBound)
        continue
      }
      let key = UInt64(instance) << 32 | UInt64(type)
      if boxes[key] == nil { order.append(key) }
      boxes[key, default: []].append((number, segment))
    }
    for key in order { survey((boxes[key] ?? []).ordered { Int($0.number) }.map { $0.segment }) }
  }

  /// Surveys the box of segments in their order.
  private mutating func survey(_ segments: [Segment]) {
    let file = self.file
    let bytes = file.span
    guard let first = segments.first else { return }
    let (start, place) = (first.payload.lowerBound, first.range.lowerBound)
    let length = bytes.uint32(at: start + 8).map { Int($0) } ?? 0
    let isLong = length == 1
    let header = Segment.boxHeaderLength + (isLong ? 8 : 0)
    let count = segments.reduce(0) { $0 + max($1.payload.count - header, 0) }
    // A length of 0 is that of the rest.
    if length != 0, !isLong, count < length - 8 {
      let text = "it has \(count) bytes of \(length - 8)"
      addProblem("a JUMBF box", text, at: place)
    }
    let content = start + header
    guard bytes.hasPrefix("jumd", at: content + 4), content + 24 <= first.payload.upperBound else {
      return
    }
    let type = bytes.bytes(content + 8..<content + 24)
    let isKnown = type.starts(with: Self.manifests)
    guard !isKnown, !isRegistered(first.range) else { return }
    let text = Self.label(type.prefix(4)) ?? type.hexadecimal(uppercase: true)
    add(.jumbf, text, at: place)
  }

  /// The type of C2PA manifests, whose validity is noted.
  private static let manifests = Array("c2pa\0\u{11}\0\u{10}".utf8)

  // MARK: ICC profiles

  /// Checks that all segments of a profile are there (ICC.1:2022, B.4).
  mutating func surveyProfile(_ segments: [Segment]) {
    guard let first = segments.first else { return }
    let file = self.file
    let bytes = file.span
    let parts = segments.compactMap { segment -> (number: UInt8, count: UInt8, data: Range<Int>)? in
      guard segment.payload.count >= 14 else { return nil }
      let start = segment.payload.lowerBound
      return (bytes[start + 12], bytes[start + 13], segment.payload.dropFirst(14))
    }.ordered { Int($0.number) }
    let isWhole =
      parts.count == segments.count
      && zip(parts, 1...255).allSatisfy { $0.number == $1 && $0.count == parts.count }
    let size = parts.reduce(0) { $0 + $1.data.count }
    let stated = parts.first.flatMap { bytes.uint32(at: $0.data.lowerBound) }.map { Int($0) } ?? 0
    guard !isWhole || size < 128 || size < stated else { return }
    addProblem(
      "the ICC profile",
      "it has \(parts.count) segments and \(size) bytes of \(stated)",
      at: first.range.lowerBound
    )
  }
}
