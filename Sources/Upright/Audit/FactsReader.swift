internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Reads the facts of a file from its header and a few small reads.
enum FactsReader {
  /// The maximum number of listed images whose headers are read.
  private static let maxImages = 8
  /// The number of bytes read of a listed image, and as many as its header needs.
  private static let imageRead = 4 << 10
  private static let longRead = 256 << 10

  /// The facts that the plan of a file already has.
  struct Planned {
    fileprivate let images: [EmbeddedImage]
    fileprivate let conflicts: [TagEvidence]

    init(_ plan: Plan) { (images, conflicts) = (plan.embeddedImages, plan.conflicts) }
  }

  static func facts(
    of photo: inout JPEGPhoto,
    _ planned: Planned,
    _ detail: Audit.Detail
  ) -> Photo.Step<Facts> {
    do throws(Photo.Need) { return .done(try read(&photo, planned, detail)) } catch {
      return .needs(error)
    }
  }

  private static func read(
    _ photo: inout JPEGPhoto,
    _ planned: Planned,
    _ detail: Audit.Detail
  ) throws(Photo.Need) -> Facts {
    let size = photo.size ?? photo.bytes.count
    // What is read comes first, because all is done again when it has been read.
    let index = MultiPictureIndex(photo.header.container, photo.bytes.span)
    var listed: [(entry: MultiPictureIndex.Entry, beginning: [UInt8])] = []
    for entry in index?.entries.dropFirst().prefix(maxImages) ?? [] {
      if let beginning = try beginning(of: entry, in: photo, size) {
        listed.append((entry, beginning))
      }
    }
    let primary = index?.entries.first?.size.length ?? 0
    let isPrimaryListed = primary > 0 && primary <= size
    let end = isPrimaryListed ? nil : photo.endOfImage
    let endsWithEOI =
      try isPrimaryListed ? false : photo.read(max(0, size - 2), 2) == [0xFF, 0xD9]
    let packets = packets(&photo, detail)
    let file = photo.bytes
    let bytes = file.span
    let images = listed.map { EmbeddedImage($0.entry, $0.beginning.span) }
    var facts = Facts()
    facts.size = size
    facts.endsWithEOI = endsWithEOI
    if case .everything = detail {
      facts.conflicts = planned.conflicts
      facts.trimming = trimming(of: photo.header)
    }
    facts.embeddedImages = planned.images + images
    facts.hasThumbnail = facts.embeddedImages.contains { $0.role == .thumbnail }
    facts.hasContentCredentials = !photo.header.credentialSegments(bytes).isEmpty
    facts.hasUndoData = photo.holdsUndoData
    for block in photo.header.exif { facts.read(block, bytes, detail) }
    for block in packets { facts.read(block) }
    if !photo.header.container.segments(.isoGainMap, in: bytes).isEmpty { facts.hasGainMap = true }
    if images.contains(where: { $0.role == .gainMap }) { facts.hasGainMap = true }
    if isPrimaryListed {
      facts.trailingBytes = size - primary
    } else if facts.trailingBytes.map({ $0 > 0 && $0 < size }) != true {
      facts.trailingBytes = end.map { size - $0 }
    }
    return facts
  }

  private static func packets(_ photo: inout JPEGPhoto, _ detail: Audit.Detail) -> [XMPBlock] {
    let file = photo.bytes
    let bytes = file.span
    return photo.xmp { segment in
      if XMPBlock.describes(segment, bytes) { return true }
      switch detail {
      case .everything: return XMPBlock.plainOrientations(segment, bytes)?.isEmpty != true
      case .totals: return false
      }
    }
  }

  /// What a lossless transform would cut off, or nil.
  private static func trimming(of header: Header) -> TrimmedEdges? {
    guard let transform = header.orientation.usable?.transform, transform != .none else {
      return nil
    }
    let (frame, kept) = (header.frame, header.frame.trimmed(for: transform))
    guard kept != frame else { return nil }
    return TrimmedEdges(of: frame.size, besides: kept.size)
  }

  /// Returns the beginning of an image listed in the index, or nil if it is not within the file.
  private static func beginning(
    of entry: MultiPictureIndex.Entry,
    in photo: JPEGPhoto,
    _ size: Int
  ) throws(Photo.Need) -> [UInt8]? {
    guard entry.start > 0, entry.size > 0, entry.start + entry.size <= size else { return nil }
    let bytes = try photo.read(Int(entry.start), min(imageRead, Int(entry.size)))
    guard bytes.span.uint16(at: 0) == 0xFFD8 else { return nil }
    do throws(ContainerError) {
      _ = try Container(bytes.span, extent: .header)
      return bytes
    } catch {
      guard error.kind == .truncated, entry.size > bytes.count else { return bytes }
    }
    return try photo.read(Int(entry.start), min(longRead, Int(entry.size)))
  }
}

extension Facts {
  mutating func read(_ block: TIFFBlock, _ bytes: Span<UInt8>, _ detail: Audit.Detail) {
    exifOrientation = exifOrientation ?? block.integer(.ifd0, ExifTag.orientation, bytes)
    camera = camera ?? block.camera(bytes)
    hasPosition = hasPosition || block.hasPosition(bytes)
    if case .everything = detail {
      captured = captured ?? block.captureTime(bytes)
      position = position ?? Position(block, bytes)
    }
    hasSubjectArea = hasSubjectArea || block.hasSubject
  }

  /// What properties describe.
  private enum Subject { case gainMap, region, iptc, camera }

  /// What the properties of a namespace describe: one look-up instead of a comparison with each.
  private static let subjects: [String: Subject] = [
    XMPNamespace.gainMap: .gainMap, XMPNamespace.appleGainMap: .gainMap,
    XMPNamespace.area: .region, XMPNamespace.acdseeArea: .region,
    XMPNamespace.microsoftRegion: .region, XMPNamespace.iptcExtension: .iptc,
    XMPNamespace.camera: .camera,
  ]

  /// Adds the facts of an XMP packet; ``trailingBytes`` is what it gives, even if the file has fewer.
  mutating func read(_ block: XMPBlock) {
    xmpOrientation = xmpOrientation ?? block.orientation
    for property in block.packet.properties {
      switch Self.subjects[property.namespace] {
      case .gainMap: hasGainMap = true
      case .region: hasRegions = true
      case .iptc where property.name.hasPrefix("rb"): hasRegions = true
      case .camera
      where property.value == "1" && ["MotionPhoto", "MicroVideo"].contains(property.name):
        isMotionPhoto = true
      case .camera where property.name == "MicroVideoOffset":
        trailingBytes = trailingBytes ?? Int64(property.value)?.length
      case .iptc, .camera, nil: break
      }
    }
    guard let directory = ContainerDirectory(block) else { return }
    hasGainMap = hasGainMap || directory.items.contains { $0.semantic == "GainMap" }
    isMotionPhoto = isMotionPhoto || directory.items.contains { $0.mime.hasPrefix("video/") }
    if let end = directory.ranges(after: 0).last?.range.upperBound { trailingBytes = end.length }
  }
}

extension EmbeddedImage {
  /// Creates an image that the index lists, from its beginning.
  fileprivate init(_ entry: MultiPictureIndex.Entry, _ bytes: Span<UInt8>) {
    let container = try? Container(bytes, extent: .header)
    let header = container.flatMap { try? Header($0, bytes) }
    let role = SecondaryImage.role(header, type: entry.type, semantic: nil, bytes)
    let range = Int(entry.start)..<Int(entry.start + entry.size)
    self.init(role, range, header?.frame.size, .kept)
  }
}
