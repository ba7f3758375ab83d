internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Reads the facts of a file from its header and a few small reads.
struct FactsReader {
  let header: Header
  let plan: Plan
  let beginning: [UInt8]
  let size: Int
  let detail: Audit.Detail

  /// The maximum number of listed images whose headers are read.
  private static let maxImages = 8
  /// The number of bytes read of a listed image.
  private static let imageRead = 4 << 10

  /// Returns the facts.
  func facts(
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Facts {
    let bytes = beginning.span
    var facts = Facts()
    facts.size = size
    if case .everything = detail {
      facts.conflicts = plan.conflicts
      facts.trimming = trimming
    }
    facts.embeddedImages = plan.embeddedImages
    facts.hasContentCredentials = !header.credentialSegments(bytes).isEmpty
    facts.hasUndoData = !header.undoSegments(bytes).isEmpty
    for block in header.exif { describe(block, &facts) }
    var after = XMPFacts()
    for block in packets(bytes) { after.read(block, &facts) }
    if !header.container.segments(.isoGainMap, in: bytes).isEmpty { facts.hasGainMap = true }
    let index = MultiPictureIndex(header.container, bytes)
    for entry in index?.entries.dropFirst().prefix(Self.maxImages) ?? [] {
      guard let image = try image(entry, read) else { continue }
      facts.embeddedImages.append(image)
      if image.role == .gainMap { facts.hasGainMap = true }
    }
    facts.trailingBytes = try trailingBytes(index, after.length, read)
    return facts
  }

  /// Returns the XMP packets that may contain facts.
  private func packets(_ bytes: Span<UInt8>) -> [XMPBlock] {
    let detail = detail
    return header.xmp(bytes) { segment in
      if XMPBlock.describes(segment, bytes) { return true }
      switch detail {
      case .everything: return XMPBlock.plainOrientations(segment, bytes)?.isEmpty != true
      case .totals: return false
      }
    }
  }

  /// What a lossless transform would cut off, or nil.
  private var trimming: TrimmedEdges? {
    guard let transform = header.orientation.usable?.transform, transform != .none else {
      return nil
    }
    let (frame, kept) = (header.frame, header.frame.trimmed(for: transform))
    guard kept != frame else { return nil }
    return TrimmedEdges(columns: frame.width - kept.width, rows: frame.height - kept.height)
  }

  private func describe(_ block: TIFFBlock, _ facts: inout Facts) {
    let bytes = beginning.span
    facts.exifOrientation =
      facts.exifOrientation ?? block.integer(.ifd0, ExifTag.orientation, bytes)
    facts.camera = facts.camera ?? block.camera(bytes)
    if case .everything = detail { facts.captured = facts.captured ?? block.captureTime(bytes) }
    if block.hasPosition(bytes) {
      facts.hasPosition = true
      if case .everything = detail {
        facts.position = facts.position ?? Facts.Position(block, bytes)
      }
    }
    if !block.entries(.exif, ExifTag.subjectArea).isEmpty
      || !block.entries(.exif, ExifTag.subjectLocation).isEmpty
    {
      facts.hasSubjectArea = true
    }
  }

  /// Returns an image listed in the index, or nil if it is not within the file.
  private func image(
    _ entry: MultiPictureIndex.Entry,
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> EmbeddedImage? {
    guard entry.start > 0, entry.size > 0, entry.start + entry.size <= size else { return nil }
    let range = Int(entry.start)..<Int(entry.start + entry.size)
    let bytes = try read(range.lowerBound, min(Self.imageRead, range.count))
    guard bytes.span.uint16(at: 0) == 0xFFD8 else { return nil }
    let container = try? Container(bytes.span, extent: .header)
    let header = container.flatMap { try? Header($0, bytes.span) }
    return EmbeddedImage(
      role: SecondaryImage.role(header, type: entry.type, semantic: nil, bytes.span),
      range: range,
      width: header?.frame.width,
      height: header?.frame.height,
      disposition: .kept
    )
  }

  /// Returns the number of bytes after the primary image, if known.
  private func trailingBytes(
    _ index: MultiPictureIndex?,
    _ listed: Int?,
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Int? {
    if let primary = index?.entries.first, primary.size > 0, primary.size <= size {
      return size - Int(primary.size)
    }
    if let listed, listed > 0, listed < size { return listed }
    // A file without trailing bytes ends with EOI.
    return try read(max(0, size - 2), 2) == [0xFF, 0xD9] ? 0 : nil
  }
}

/// Facts from XMP packets.
private struct XMPFacts {
  /// The number of bytes after the primary image.
  var length: Int?

  mutating func read(_ block: XMPBlock, _ facts: inout Facts) {
    facts.xmpOrientation = facts.xmpOrientation ?? block.orientation
    for property in block.packet.properties {
      switch property.namespace {
      case XMPNamespace.gainMap, XMPNamespace.appleGainMap: facts.hasGainMap = true
      case XMPNamespace.area, XMPNamespace.acdseeArea, XMPNamespace.microsoftRegion:
        facts.hasRegions = true
      case XMPNamespace.iptcExtension where property.name.hasPrefix("rb"):
        facts.hasRegions = true
      case XMPNamespace.camera
      where property.value == "1" && ["MotionPhoto", "MicroVideo"].contains(property.name):
        facts.isMotionPhoto = true
      case XMPNamespace.camera where property.name == "MicroVideoOffset":
        length = length ?? Int64(property.value)?.length
      default: break
      }
    }
    guard let directory = ContainerDirectory(block) else { return }
    for item in directory.items {
      if item.semantic == "GainMap" { facts.hasGainMap = true }
      if item.mime.hasPrefix("video/") { facts.isMotionPhoto = true }
    }
    if let end = directory.ranges(after: 0).last?.range.upperBound { length = end.length }
  }
}
