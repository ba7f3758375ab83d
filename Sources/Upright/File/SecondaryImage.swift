internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// A secondary image: a JPEG image after the primary one (specification, section 5).
struct SecondaryImage {
  let role: EmbeddedImage.Role
  /// Its range from SOI to the end that the index gives, or to EOI.
  let range: Range<Int>
  /// Its header, or nil if it cannot be read.
  let header: Header?
  /// What is damaged, or contradicts the index; nil if nothing is.
  var damage: String?
  /// Its index in the container directory.
  var item: Int?
  /// The number of padding bytes after it.
  var padding = 0
  /// Whether it is a view that is shown together with the primary image: of a stereo pair, a panorama or several angles.
  var isShownTogether = false

  /// The maximum number of images, with the attempts to find those that no index lists.
  private static let maxCount = 256
  /// How many times the bytes after the image are read in sum: images may begin within each other.
  private static let maxPasses = 4

  /// Returns the images after the primary one, in file order: those that the multi-picture index or the container
  /// directory lists, and those whose own metadata gives their role.
  ///
  /// Viewers find images without an index, too. If an index lists an image where there is none, every image that it
  /// could mean is damaged.
  static func find(_ primary: Header, _ bytes: Span<UInt8>) -> [SecondaryImage] {
    let end = primary.container.end
    let listings = listings(primary, bytes)
    var search = Search(room: bytes.room(after: end, passes: maxPasses))
    var found: [SecondaryImage] = []
    var missing: (start: Int64, type: UInt32?, semantic: String?)?
    for listing in listings {
      let start = listing.range.lowerBound
      if found.contains(where: { $0.range.lowerBound == start }) { continue }
      let item = listings.first { $0.item != nil && $0.range.lowerBound == start }
      guard start >= end, bytes.uint16(at: start.length) == 0xFFD8 else {
        if isShownTogether(type: listing.type)
          || role(nil, type: listing.type, semantic: listing.semantic, bytes) != .view
        {
          missing = missing ?? (start, listing.type, listing.semantic)
        }
        continue
      }
      guard let image = listed(listing, item, &search, bytes) else { break }
      found.append(image)
    }
    for other in unlisted(after: end, besides: found, &search, bytes) {
      var other = other
      // A packet that cannot be read could tell a role.
      if other.role == .unknown, other.header?.xmpProblem == nil {
        guard let missing else {
          // Anything may begin like an image; programs show one that is complete.
          if other.damage == nil { found.append(other) }
          continue
        }
        let start = other.range.lowerBound
        other = SecondaryImage(
          role: role(nil, type: missing.type, semantic: missing.semantic, bytes),
          range: other.range,
          header: nil,
          damage: "an index lists it at byte \(missing.start), but it is at byte \(start)",
          isShownTogether: isShownTogether(type: missing.type)
        )
      }
      found.append(other)
    }
    if let place = search.cut {
      found.append(
        SecondaryImage(
          role: .unknown,
          range: place..<place + 2,
          header: nil,
          damage: "there are too many images, or images within each other, to read all of them"
        )
      )
    }
    return markingOverlaps(found.inFileOrder { $0.range })
  }

  /// What limits the search for images.
  private struct Search {
    /// How many bytes may still be read.
    var room: Int
    /// How many images were tried.
    var count = 0
    /// The first image that was not read because of the limits.
    var cut: Int?

    /// Returns whether the image at an offset may be read.
    mutating func permits(_ start: Int) -> Bool {
      if count == maxCount || room <= 0 {
        cut = cut ?? start
        return false
      }
      count += 1
      return true
    }
  }

  private struct Listing {
    var range: Range<Int64>
    var type: UInt32?
    /// Its purpose, its number and the padding after it, if it is listed in the container directory.
    var semantic: String?
    var item: Int?
    var padding = 0
  }

  /// Returns the images that the multi-picture index and the container directory list, except videos.
  private static func listings(_ primary: Header, _ bytes: Span<UInt8>) -> [Listing] {
    let index = MultiPictureIndex(primary.container, bytes)
    var listings = (index?.entries.dropFirst() ?? []).filter { $0.start > 0 }.map {
      Listing(range: $0.start..<$0.start + $0.size, type: $0.type)
    }
    for block in primary.xmp {
      guard let directory = ContainerDirectory(block) else { continue }
      for (number, (item, range)) in directory.ranges(after: primary.container.end).enumerated()
      where !item.mime.hasPrefix("video/") {
        listings.append(
          Listing(
            range: range,
            semantic: item.semantic,
            item: number + 1,
            padding: item.padding
          )
        )
      }
      break
    }
    return listings
  }

  private static func listed(
    _ listing: Listing,
    _ item: Listing?,
    _ search: inout Search,
    _ bytes: Span<UInt8>
  ) -> SecondaryImage? {
    let start = listing.range.lowerBound.length
    let upper = listing.range.upperBound
    guard search.permits(start) else { return nil }
    let (header, end) = read(at: start, &search.room, bytes)
    var damage = end == nil ? unreadable : nil
    if let end, upper < end || upper > bytes.count {
      let size = upper - listing.range.lowerBound
      damage = "an index gives it \(size) bytes, but it has \(end - start)"
    }
    let role = role(header, type: listing.type, semantic: item?.semantic, bytes)
    return SecondaryImage(
      role: role,
      range: start..<max(min(upper.length, bytes.count), end ?? start + 2),
      header: header,
      damage: damage,
      item: item?.item,
      padding: item?.padding ?? 0,
      isShownTogether: role == .view && isShownTogether(type: listing.type)
    )
  }

  /// Returns whether the index gives a view of a panorama, a stereo pair or several angles (CIPA DC-007, 5.2.3.3.1).
  static func isShownTogether(type: UInt32?) -> Bool {
    type.map { (0x02_0001...0x02_0003).contains($0) } ?? false
  }

  /// Returns the views that are shown together with the primary image.
  static func views(_ primary: Header, _ bytes: Span<UInt8>) -> [SecondaryImage] {
    let index = MultiPictureIndex(primary.container, bytes)
    guard index?.entries.contains(where: { isShownTogether(type: $0.type) }) == true else {
      return []
    }
    return find(primary, bytes).filter { $0.isShownTogether }
  }

  static let unreadable = "it is incomplete or cannot be read"

  /// Returns the images after `end` that are not in `listed`; the unreadable ones are left out.
  private static func unlisted(
    after end: Int,
    besides listed: [SecondaryImage],
    _ search: inout Search,
    _ bytes: Span<UInt8>
  ) -> [SecondaryImage] {
    var images: [SecondaryImage] = []
    var position = end
    while let start = bytes.indexOfFF(from: position) {
      position = start + 1
      guard bytes.uint16(at: start) == 0xFFD8, bytes.uint16(at: start + 1) ?? 0 > 0xD8FE else {
        continue
      }
      if let image = listed.first(where: { $0.range.contains(start) }) {
        position = image.range.upperBound
        continue
      }
      guard search.permits(start) else { break }
      let (header, end) = read(at: start, &search.room, bytes)
      guard let header else { continue }
      position = end ?? start + 2
      images.append(
        SecondaryImage(
          role: role(header, type: nil, semantic: nil, bytes),
          range: start..<position,
          header: header,
          damage: end == nil ? unreadable : nil
        )
      )
    }
    return images
  }

  /// Returns the header of the image at an offset, nil if it cannot be read, and its end, nil if it is incomplete.
  ///
  /// What is read is subtracted from `room`, in bytes.
  private static func read(
    at start: Int,
    _ room: inout Int,
    _ bytes: Span<UInt8>
  ) -> (header: Header?, end: Int?) {
    let container = Container.readable(at: start, &room, bytes)
    guard let container, let header = try? Header(container, bytes) else { return (nil, nil) }
    return (header, container.isComplete ? container.end : nil)
  }

  /// Returns an image that the multi-picture index does not place within the file, with its damage, or nil.
  ///
  /// It is known from the header and the size of the file.
  static func outside(
    _ fileSize: Int,
    _ primary: Header,
    _ bytes: Span<UInt8>
  ) -> (role: EmbeddedImage.Role, damage: String)? {
    guard let index = MultiPictureIndex(primary.container, bytes) else { return nil }
    for entry in index.entries.dropFirst() where entry.start > 0 && entry.start < fileSize {
      let role = role(nil, type: entry.type, semantic: nil, bytes)
      guard role != .view || isShownTogether(type: entry.type) else { continue }
      if entry.size == 0 || entry.start + entry.size > fileSize {
        return (
          role,
          "an index gives it \(entry.size) bytes, but the file has \(Int64(fileSize) - entry.start) there"
        )
      }
    }
    return nil
  }

  private static func markingOverlaps(_ images: [SecondaryImage]) -> [SecondaryImage] {
    var images = images
    for index in images.indices.dropLast()
    where images[index].range.upperBound > images[index + 1].range.lowerBound {
      for index in [index, index + 1] where images[index].damage == nil {
        images[index].damage = "the index lists overlapping images"
      }
    }
    return images
  }
}
