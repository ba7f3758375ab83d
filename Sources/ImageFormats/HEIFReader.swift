internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation

/// Reads the boxes and items of a HEIF file (ISO/IEC 23008-12).
struct HEIFReader {
  private var facts: FormatHeader
  private var directory: ItemDirectory?

  /// How many times the bytes of the file are read in sum: items may have the same bytes.
  private static let maxPasses: Int64 = 4

  /// How many bytes of instructions are read in sum, which are a few numbers for each image of a derived one.
  private static let maxInstructions = 1 << 16

  init(_ format: ImageFormat) { facts = FormatHeader(format) }

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    var position = 0
    var (hasMovie, lacksPrimary) = (false, false)
    while position < file.size {
      let (box, bytes): (Box, [UInt8])
      do throws(HeaderError<Failure>) { (box, bytes) = try file.box(at: position) } catch {
        // The image does not depend on what follows it.
        guard let directory, case .content = error else { throw error }
        let count = directory.unclaimedBytes(in: position..<file.size)
        let end = try file.bytes(at: file.size - 4, upTo: 4)
        if count > 0 {
          facts.trailer = (count, MediaFile.trailerDescription(count, end: end.span))
        }
        break
      }
      switch box.type {
      case "meta" where directory == nil:
        let meta = try file.bytes(box.range)
        do throws(FormatError) {
          let own = try Box(header: meta.span, at: 0, of: meta.count)
          if try ItemDirectory.hasPrimary(meta.span, own) {
            try readItems(meta, own, at: box.range.lowerBound, of: file.size)
          } else {
            lacksPrimary = true
          }
        } catch {
          // The items are read from the box alone.
          var error = error
          error.offset = error.offset.map { $0 + box.range.lowerBound }
          throw .content(error)
        }
      case "meta": facts.items?.stop("there is more than one box meta")
      case "mini":
        let header = try file.bytes(at: box.content.lowerBound, upTo: 8)
        do throws(FormatError) { try readMinimized(header) } catch { throw .content(error) }
        return facts
      case "moov":
        hasMovie = true
        do throws(HeaderError<Failure>) {
          if try Self.hasVideoTrack(box, &file) { facts.hasVideo = true }
        } catch {
          guard case .content = error else { throw error }
        }
      case "mpvd": facts.hasVideo = true
      case "uuid" where MediaFile.isCredentials(bytes.span, box.userType.lowerBound - position):
        facts.hasCredentials = true
      default: break
      }
      position = box.range.upperBound
    }
    guard let directory else {
      throw .content(
        hasMovie
          ? .onlySequence : .malformed("the file has no box \(lacksPrimary ? "pitm" : "meta")")
      )
    }
    if hasMovie {
      facts.items?.stop(
        "there is an animation or a video (moov), which would be displayed as before"
      )
    }
    var room = Self.maxPasses * Int64(file.size)
    for item in directory.metadata where item.type == "Exif" || item.isXMP {
      room -= item.extents.reduce(Int64(0)) { $0 + Int64($1.count) }
      guard room >= 0 else {
        throw .content(.limit("Exif and XMP items that share bytes are longer than the file"))
      }
      var content: [UInt8] = []
      for extent in item.extents { content += try file.bytes(extent) }
      let start = item.place?.lowerBound
      if item.isXMP {
        facts.xmp.append(MetadataPart(content, at: start))
      } else if let block = Item.exifRange(in: content) {
        facts.exif.append(MetadataPart(content, block, at: start))
      }
    }
    facts.damage = try damage(&file)
    return facts
  }

  /// Returns why no decoder can show the image; the contents of coded images are not read.
  private func damage<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> String? {
    guard let items = facts.items else { return nil }
    var contents: [Int: [UInt8]] = [:]
    let parts = items.directory.imageParts(maxBytes: Self.maxInstructions) { $0.isDerived }
    for item in parts {
      var content: [UInt8] = []
      for extent in item.extents { content += try file.bytes(extent) }
      if !item.extents.isEmpty { contents[item.identifier] = content }
    }
    return items.damage(contents)
  }

  /// Returns whether a box `moov` has a video, and not only a sequence of images.
  private static func hasVideoTrack<Failure>(
    _ movie: Box,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> Bool {
    var tracks = BoxSequence(movie.content)
    while let track = try tracks.next(&file) {
      guard track.type == "trak" else { continue }
      var boxes = BoxSequence(track.content)
      while let box = try boxes.next(&file) {
        if box.type == "mdia", try BoxSequence.isVideo(box, &file) { return true }
      }
    }
    return false
  }

  /// Reads the beginning of a box `mini`, which has a property in place of a box for each (ISO/IEC 23008-12:2025).
  private mutating func readMinimized(_ bytes: [UInt8]) throws(FormatError) {
    guard bytes.count == 8 else { throw .malformed("the box mini is too short") }
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    func field(_ start: Int, _ count: Int) -> Int {
      Int(bits >> UInt64(64 - start - count) & (1 << UInt64(count) - 1))
    }
    guard field(0, 2) == 0 else {
      throw .unsupported("the version of the box mini is unknown")
    }
    facts.stated = Orientation(rawValue: field(13, 3) + 1)?.transform
    let length = field(16, 1) == 1 ? 15 : 7
    (facts.width, facts.height) = (field(17, length) + 1, field(17 + length, length) + 1)
    for (bit, name) in [(9, "Exif"), (10, "XMP")] where field(bit, 1) == 1 {
      facts.note(.metadataNotRead, "\(name) in the box mini is not read")
    }
  }

  private mutating func readItems(
    _ bytes: [UInt8],
    _ meta: Box,
    at start: Int,
    of size: Int
  ) throws(FormatError) {
    let directory = try ItemDirectory(bytes.span, meta, in: (start, size))
    facts.stated = try Self.transform(of: directory.primary, directory, bytes.span)
    if let size = try directory.item(directory.primary).size(bytes.span) {
      (facts.width, facts.height) = size
    }
    for identifier in directory.order {
      guard let item = directory.items[identifier],
        let role = Self.role(item, of: directory.primary, bytes.span)
      else { continue }
      // Without a size that can be read, the image is listed all the same.
      let size = try? item.size(bytes.span)
      facts.images.append(
        FormatHeader.OtherImage(
          role: role,
          range: item.place ?? 0..<0,
          width: size?.width,
          height: size?.height
        )
      )
    }
    facts.items = ItemBox(bytes, at: start, of: size, directory)
    self.directory = directory
  }

  /// Returns the rotation and mirroring of an image; nil if it has neither property.
  ///
  /// An image that is derived from one image has its transforms first, then its own (ISO/IEC 23008-12, 6.6.2.1).
  private static func transform(
    of identifier: Int,
    _ directory: ItemDirectory,
    _ bytes: Span<UInt8>,
    depth: Int = 0
  ) throws(FormatError) -> OrientationTransform? {
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

  /// Returns the purpose of an image that belongs to the primary one; nil if it does not, or is a part of it.
  private static func role(
    _ item: Item,
    of primary: Int,
    _ bytes: Span<UInt8>
  ) -> FormatHeader.OtherImage.Role? {
    if item.targets("thmb").contains(primary) { return .thumbnail }
    guard item.targets("auxl").contains(primary) else { return nil }
    let type = item.auxiliaryType(bytes).lowercased()
    let name = Array(type.utf8)
    func has(_ part: StaticString) -> Bool {
      name.span.firstOffset(of: part, in: name.indices) != nil
    }
    return switch true {
    case has("gainmap"): .gainMap
    // ISO/IEC 23008-12, Annex G; Apple; MIAF 7.3.5.2: an alpha plane is a part of the image.
    case has("depth"), has("disparity"), type.hasSuffix("auxid:2"): .depthMap
    case has("matte"): .matte
    case has("alpha"), type.hasSuffix("auxid:1"): nil
    default: .unknown
    }
  }
}
