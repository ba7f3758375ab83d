internal import FileBytes
internal import JPEGCore
internal import Upright

/// The segments of a JPEG image.
extension ContentSurvey {
  /// Surveys a JPEG file.
  mutating func surveyJPEG(_ header: Header) {
    survey(header.container)
    surveyIndex(header.container)
    let inventory = SearchedImage.inventory(header, file.span)
    let images = inventory.images.filter { $0.isComplete && ($0.isListed || $0.role != .unknown) }
    for image in images {
      if let container = image.header?.container { survey(container) }
    }
    for image in inventory.images where !image.isComplete && (image.isListed || image.isAligned) {
      addProblem("the \(image.role.rawValue) image", "it is damaged", at: image.range.lowerBound)
    }
    if let missing = inventory.missing {
      let text = "there is no image where an index lists one"
      addProblem("the bytes after the image", text, at: min(missing, file.count))
    }
    if let cut = inventory.cut {
      addProblem("the bytes after the image", "there are too many images", at: cut)
    }
    var position = header.container.end
    for image in images {
      surveyTrailer(position..<image.range.lowerBound, besides: inventory.images)
      position = image.range.upperBound
    }
    surveyTrailer(position..<file.count, besides: inventory.images)
  }

  /// Surveys the segments of an image.
  mutating func survey(_ container: Container) {
    let file = self.file
    let bytes = file.span
    var blocks: [[Range<Int>]] = []
    var parts: [SegmentKind: [Segment]] = [:]
    for segment in container.segments where segment.marker.carriesMetadata {
      let (kind, payload) = (segment.kind(in: bytes), segment.payload)
      switch kind {
      case .exif:
        let block = Self.block(payload, bytes)
        // Exif of more than 64 KiB continues in the next segment.
        if let last = blocks.indices.last, !Self.isTIFF(block, bytes) {
          blocks[last].append(block)
        } else if !block.isEmpty {
          blocks.append([block])
        }
      case .xmp:
        let text = payload.dropFirst(Segment.identifierLength(.xmp))
        surveyXMP("the XMP packet", ContainerBytes([text], of: file), 0..<text.count)
      case .extendedXMP, .iccProfile, .photoshop, .jumbf: parts[kind, default: []].append(segment)
      case .jfif:
        // The size of the thumbnail in pixels, of which each has three bytes.
        let size = payload.lowerBound + 12
        if payload.count > 14, bytes[size] > 0, bytes[size + 1] > 0 {
          addThumbnail(in: "the JFIF segment", at: size)
        }
      case .jfifExtension: addThumbnail(in: "the JFXX segment", at: payload.lowerBound)
      case .multiPicture, .isoGainMap, .adobe, .flashPix, .undoData,
        .comment, .jpegXT:
        break
      case .unknown: surveyUnknown(segment)
      }
    }
    for block in blocks {
      let joined = ContainerBytes(block, of: file)
      surveyTIFF("the Exif block", joined, joined.bytes.indices)
    }
    surveyExtended(parts[.extendedXMP] ?? [])
    surveyProfile(parts[.iccProfile] ?? [])
    surveyBoxes(parts[.jumbf] ?? [])
    let resources = (parts[.photoshop] ?? []).map { $0.payload.dropFirst(14) }
    let joined = ContainerBytes(resources, of: file)
    surveyResources("Photoshop's resources", joined, joined.bytes.indices)
  }

  private mutating func surveyUnknown(_ segment: Segment) {
    let file = self.file
    let bytes = file.span
    guard let application = segment.marker.applicationNumber,
      !KnownSegments.contains(application, segment.payload, bytes),
      !isRegistered(segment.range)
    else { return }
    let label = Self.label(file[segment.payload]).map { " \u{201C}\($0)\u{201D}" }
    add(.segment, "APP\(application)\(label ?? "")", at: segment.range.lowerBound)
  }

  // MARK: Exif

  private static func isTIFF(_ block: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    let start = block.lowerBound
    return block.count >= 8
      && (bytes.hasPrefix("II*\0", at: start) || bytes.hasPrefix("MM\0*", at: start))
  }

  /// Returns the block in an Exif segment, after a second identifier, if any.
  private static func block(_ payload: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int> {
    let block = payload.dropFirst(6)
    return bytes.hasPrefix("Exif\0\0", at: block.lowerBound) ? block.dropFirst(6) : block
  }

  // MARK: Extended XMP

  /// The identifier, the digest, the length and the offset are before the text (XMP part 3, 1.1.3.1).
  private static let extendedHeader = 75

  private mutating func surveyExtended(_ segments: [Segment]) {
    let file = self.file
    let bytes = file.span
    var packets: [[UInt8]: [(offset: Int, length: Int, text: Range<Int>)]] = [:]
    var order: [[UInt8]] = []
    for segment in segments {
      let start = segment.payload.lowerBound
      guard segment.payload.count > Self.extendedHeader,
        let length = bytes.uint32(at: start + 67), let offset = bytes.uint32(at: start + 71)
      else {
        addProblem("extended XMP", "a segment is cut", at: segment.range.lowerBound)
        continue
      }
      let digest = bytes.bytes(start + 35..<start + 67)
      if packets[digest] == nil { order.append(digest) }
      packets[digest, default: []].append(
        (Int(offset), Int(length), segment.payload.dropFirst(Self.extendedHeader))
      )
    }
    for reference in references where packets[reference.digest] == nil {
      addProblem("extended XMP", "it is missing", at: reference.offset)
    }
    references = []
    for digest in order {
      let parts = (packets[digest] ?? []).ordered { $0.offset }
      guard let first = parts.first else { continue }
      var end = 0
      for part in parts where part.offset == end { end += part.text.count }
      guard end == first.length, parts.allSatisfy({ $0.length == end }) else {
        let text = "\(end) of \(first.length) bytes are there"
        addProblem("extended XMP", text, at: first.text.lowerBound)
        continue
      }
      let joined = ContainerBytes(parts.map { $0.text }, of: file)
      surveyXMP("extended XMP", joined, joined.bytes.indices)
    }
  }

  // MARK: Multi-picture index

  /// Checks the index of a multi-picture file (CIPA DC-007, 5.2).
  private mutating func surveyIndex(_ container: Container) {
    let file = self.file
    let bytes = file.span
    for segment in container.segments(.multiPicture, in: bytes) {
      let block = segment.payload.dropFirst(Segment.identifierLength(.multiPicture))
      let tree = try? TIFFTree(bytes, in: block)
      let list = tree?.directories.first?.first(0xB002)?.value
      guard let list, !list.isEmpty, list.count % 16 == 0 else {
        let text = "it has no list of images, or the list ends after it"
        addProblem("the MPF index", text, at: segment.range.lowerBound)
        continue
      }
    }
  }
}
