internal import ISOBMFF
internal import ImageOrientation
internal import JPEGCore

/// Reads the boxes and items of a HEIF file (ISO/IEC 23008-12).
struct HEIFReader: Sendable {
  private var facts: ImageFacts
  private var position = 0
  private var boxes = 0
  private var directory: ItemDirectory?
  private var hasMovie = false

  private static let maxBoxes = 100_000

  init(_ format: ImageFormat) { facts = ImageFacts(format) }

  mutating func read(_ file: FileWindow) throws(ReadingStop) -> ImageFacts {
    while position < file.size, boxes < Self.maxBoxes {
      let bytes = try file.bytes(at: position, upTo: 32)
      let box: Box
      do throws(BoxError) {
        box = try Box(header: bytes.span, at: position, of: file.size)
      } catch {
        // The image does not depend on what follows it.
        guard directory == nil else { break }
        throw ReadingStop(error)
      }
      if box.type == "meta", directory == nil { try readMeta(box, file) }
      if box.type == "mini" {
        return try readMinimized(file.bytes(at: box.content.lowerBound, upTo: 8))
      }
      if box.type == "moov" { hasMovie = true }
      if box.type == "mpvd" { facts.hasVideo = true }
      if box.type == "uuid", MediaFile.isCredentials(bytes.span, box.content.lowerBound - position)
      {
        facts.hasCredentials = true
      }
      boxes += 1
      position = box.range.upperBound
    }
    guard let directory else {
      let what = hasMovie ? "only a sequence of images, which is not read" : "no box meta"
      throw .failed(hasMovie ? .unsupported : .malformed, offset: nil, "the file has \(what)")
    }
    if hasMovie {
      facts.hasVideo = true
      facts.items?.mayGrow = false
    }
    var result = facts
    for item in directory.metadata {
      let content = try content(of: item, directory, file)
      let start = item.place?.lowerBound
      if item.type == "Exif", let block = Item.exifRange(in: content) {
        result.exif.append(MetadataPart(content, block, at: start))
      }
      if item.isXMP { result.xmp.append(MetadataPart(content, at: start)) }
    }
    return result
  }

  /// Reads the beginning of a box `mini`, which has a property in place of a box for each (ISO/IEC 23008-12:2025).
  private func readMinimized(_ bytes: [UInt8]) throws(ReadingStop) -> ImageFacts {
    guard bytes.count == 8 else { throw .malformed(at: nil, "the box mini is too short") }
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    func field(_ start: Int, _ count: Int) -> Int {
      Int(bits >> UInt64(64 - start - count) & (1 << UInt64(count) - 1))
    }
    guard field(0, 2) == 0 else {
      throw .failed(.unsupported, offset: nil, "the version of the box mini is unknown")
    }
    var result = facts
    result.stated = Orientation(rawValue: field(13, 3) + 1)?.transform
    let length = field(16, 1) == 1 ? 15 : 7
    result.width = field(17, length) + 1
    result.height = field(17 + length, length) + 1
    if field(9, 1) == 1 { result.notes.append("Exif in the box mini is not read") }
    if field(10, 1) == 1 { result.notes.append("XMP in the box mini is not read") }
    return result
  }

  private mutating func readMeta(_ box: Box, _ file: FileWindow) throws(ReadingStop) {
    let bytes = try file.bytes(box.range)
    do throws(BoxError) {
      let meta = try Box(header: bytes.span, at: 0, of: bytes.count)
      let directory = try ItemDirectory(bytes.span, meta, in: (box.range.lowerBound, file.size))
      facts.stated = try Self.transform(of: directory.primary, directory, bytes.span)
      if let size = try directory.item(directory.primary).size(bytes.span) {
        (facts.width, facts.height) = size
      }
      for item in directory.order { addSecondary(item, directory, bytes.span) }
      facts.items = ItemBox(bytes, at: box.range.lowerBound, of: file.size, directory)
      self.directory = directory
    } catch {
      throw ReadingStop(error)
    }
  }

  /// Returns the rotation and mirroring of an image; nil if it has neither property.
  ///
  /// An image that is derived from one image has its transforms first, then its own (ISO/IEC 23008-12, 6.6.2.1).
  private static func transform(
    of identifier: Int,
    _ directory: ItemDirectory,
    _ bytes: Span<UInt8>,
    depth: Int = 0
  ) throws(BoxError) -> OrientationTransform? {
    let item = try directory.item(identifier)
    var result = try ImageTransforms.orientation(of: item, bytes)
    if item.type == "iden" || item.type == "tmap", depth < 8,
      let base = item.targets("dimg").first,
      let inner = try transform(of: base, directory, bytes, depth: depth + 1)
    {
      result = inner.then(result ?? .none)
    }
    return result
  }

  private mutating func addSecondary(
    _ identifier: Int,
    _ directory: ItemDirectory,
    _ bytes: Span<UInt8>
  ) {
    guard let item = directory.items[identifier] else { return }
    let role: ImageFacts.SecondaryImage.Role
    if item.targets("thmb").contains(directory.primary) {
      role = .thumbnail
    } else if item.targets("auxl").contains(directory.primary) {
      let type = item.auxiliaryType(bytes).lowercased()
      let name = Array(type.utf8)
      func has(_ part: StaticString) -> Bool {
        name.span.firstOffset(of: part, in: name.indices) != nil
      }
      switch true {
      case has("gainmap"): role = .gainMap
      // ISO/IEC 23008-12, Annex G; Apple; MIAF 7.3.5.2: an alpha plane is a part of the image.
      case has("depth"), has("disparity"), type.hasSuffix("auxid:2"):
        role = .depthMap
      case has("matte"): role = .matte
      case has("alpha"), type.hasSuffix("auxid:1"): return
      default: role = .unknown
      }
    } else {
      return
    }
    // Without a size that can be read, the image is listed all the same.
    let size = try? item.size(bytes)
    facts.images.append(
      ImageFacts.SecondaryImage(
        role: role,
        range: item.place ?? 0..<0,
        width: size?.width,
        height: size?.height
      )
    )
  }

  private func content(
    of item: Item,
    _ directory: ItemDirectory,
    _ file: FileWindow
  ) throws(ReadingStop) -> [UInt8] {
    var content: [UInt8] = []
    for extent in item.extents {
      guard content.count + extent.count <= FileWindow.maxPart else {
        throw .failed(.limit, offset: extent.lowerBound, "an item of metadata is too large")
      }
      content += try file.bytes(extent)
    }
    return content
  }
}

extension ReadingStop {
  init(_ error: BoxError) {
    let problem: Problem =
      switch error.kind {
      case .truncated: .truncated
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .limit: .limit
      }
    self = .failed(problem, offset: error.offset, error.message)
  }
}
