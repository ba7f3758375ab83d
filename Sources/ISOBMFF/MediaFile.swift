internal import FileBytes

/// The boxes of a file, and its items (ISO/IEC 14496-12, ISO/IEC 23008-12).
package struct MediaFile: Hashable, Sendable {
  /// The boxes that the file consists of.
  package private(set) var boxes: [Box]
  /// The bytes after the boxes, which belong to none; phones append them.
  package private(set) var trailer: Range<Int>
  /// The items of the file.
  package private(set) var directory: ItemDirectory

  /// Reads the boxes and items of a file; the error is of kind `truncated` if the file ends within a box.
  package init(_ bytes: Span<UInt8>) throws(FormatError) {
    let end = try Self.end(bytes)
    boxes = try Box.boxes(bytes, in: 0..<end)
    trailer = end..<bytes.count
    let meta = try boxes.required("meta")
    guard try ItemDirectory.hasPrimary(bytes, meta) || !boxes.contains(where: { $0.type == "moov" })
    else { throw .onlySequence }
    directory = try ItemDirectory(bytes, meta)
  }

  /// The types of boxes of which a file consists, such as one that ends too early.
  private static let types: Set<FourCharacterCode> = [
    "ftyp", "meta", "mdat", "moov", "free", "skip", "wide", "uuid", "mpvd", "sefd",
  ]

  /// Returns where the boxes of a file end: at its end, or after the items where what follows is no box.
  private static func end(_ bytes: Span<UInt8>) throws(FormatError) -> Int {
    var (place, hasItems) = (0, false)
    while place < bytes.count {
      do throws(FormatError) {
        let box = try Box(bytes, at: place, in: 0..<bytes.count)
        hasItems = hasItems || box.type == "meta"
        place = box.range.upperBound
      } catch {
        guard hasItems, let code = bytes.uint32(at: place + 4),
          !types.contains(FourCharacterCode(rawValue: code))
        else { throw error }
        return place
      }
    }
    return place
  }

  /// Returns whether a file has images as items or in a track, by the brands in its first bytes, of which 64 usually
  /// suffice.
  package static func isHEIF(_ beginning: Span<UInt8>) -> Bool {
    brands(beginning).contains { imageBrands.contains($0) }
  }

  /// Returns the brands of a file, the major brand first; none if it does not begin with them.
  package static func brands(_ beginning: Span<UInt8>) -> [FourCharacterCode] {
    let file = 0..<beginning.count
    guard let box = try? Box(beginning, at: 0, in: file, mayBeCut: true), box.type == "ftyp" else {
      return []
    }
    let list = box.content.clamped(to: file)
    var brands: [FourCharacterCode] = []
    // The major brand is followed by a version number and the compatible brands.
    for place in stride(from: list.lowerBound, to: list.upperBound - 3, by: 4)
    where place != list.lowerBound + 4 {
      if let code = beginning.uint32(at: place) { brands.append(FourCharacterCode(rawValue: code)) }
    }
    return brands
  }

  private static let imageBrands: Set<FourCharacterCode> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
    "heif", "avif", "avis", "miaf", "avci",
  ]

  /// Whether there is a track of images or a video (`moov`).
  package var hasMovie: Bool { boxes.contains { $0.type == "moov" } }

  /// Whether there is a video of a motion photo (`mpvd`).
  package var hasMotionPhoto: Bool { boxes.contains { $0.type == "mpvd" } }

  /// Returns a description of bytes after the boxes, of which the last four are given.
  package static func trailerDescription(_ count: Int, end: Span<UInt8>) -> String {
    "\(count) bytes after the boxes of the file"
      + (end.hasPrefix("SEFT", at: end.count - 4) ? " (SEFT of Samsung phones)" : "")
  }

  /// Whether there are C2PA content credentials.
  package func hasContentCredentials(_ bytes: Span<UInt8>) -> Bool {
    boxes.contains {
      $0.type == "uuid" && Self.isCredentials(bytes, $0.userType.lowerBound)
    }
  }

  /// Returns whether the user type of a box `uuid` at an offset is that of C2PA content credentials.
  package static func isCredentials(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
    bytes.hasPrefix(credentials, at: offset)
  }

  private static let credentials: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]
}
