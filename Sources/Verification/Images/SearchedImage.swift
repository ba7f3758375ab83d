internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import Upright
internal import XMPPacket

/// A JPEG image after the primary one, found by its own bytes.
///
/// A rewrite finds images by the indexes. This search does not use them, so it also finds what a rewrite missed; they
/// only add to what an image's own metadata tells about its role.
struct SearchedImage {
  /// Its range from SOI to EOI; to the end of the file if it is incomplete.
  let range: Range<Int>
  /// Its header, or nil if it cannot be read.
  let header: Header?
  let isComplete: Bool
  var role = EmbeddedImage.Role.unknown
  var isListed = false
  /// Whether the index gives it as a view of a panorama, a stereo pair or several angles, which are shown together.
  var isShownTogether = false

  /// Whether its pixels belong to those of the primary image.
  var isAligned: Bool { [.gainMap, .depthMap, .matte].contains(role) }

  /// The images after the primary one, and what the indexes list besides them.
  struct Inventory {
    /// Everything that begins like an image, in file order.
    var images: [SearchedImage]
    /// The offset at which an index lists an image that may have to be transformed, but there is none; nil if all
    /// images are where the indexes list them.
    var missing: Int?
    /// The offset of the first image that was not read because of the limits.
    var cut: Int?
  }

  /// The maximum number of images that are tried.
  private static let maxCount = 256
  /// How many times the bytes after the image are read in sum: images may begin within each other.
  private static let maxPasses = 4

  static func inventory(_ primary: Header, _ bytes: Span<UInt8>) -> Inventory {
    var inventory = search(after: primary.container.end, bytes)
    for index in inventory.images.indices {
      inventory.images[index].role = ownRole(inventory.images[index], bytes)
    }
    let starts = inventory.images.filter { $0.isComplete }.map { $0.range.lowerBound }
    for listed in lists(primary, starts, bytes) {
      let place = inventory.images.firstIndex { $0.range.lowerBound == listed.start }
      if let place {
        inventory.images[place].isListed = true
        if inventory.images[place].role == .unknown { inventory.images[place].role = listed.role }
        if listed.isShownTogether, inventory.images[place].role == .view {
          inventory.images[place].isShownTogether = true
        }
      } else if listed.role != .view || listed.isShownTogether {
        inventory.missing = inventory.missing ?? listed.start
      }
    }
    return inventory
  }

  /// Finds everything that begins with SOI and a marker; videos have such bytes, too.
  static func search(after end: Int, _ bytes: Span<UInt8>) -> Inventory {
    var inventory = Inventory(images: [])
    var room = bytes.room(after: end, passes: maxPasses)
    var position = end
    while let start = bytes.indexOfFF(from: position) {
      position = start + 1
      guard start + 3 < bytes.count, bytes[start + 1] == 0xD8, bytes[start + 2] == 0xFF,
        bytes[start + 3] >= 0xC0
      else { continue }
      guard inventory.images.count < maxCount, room > 0 else {
        inventory.cut = start
        break
      }
      let container = Container.readable(at: start, &room, bytes)
      let header = container.flatMap { try? Header($0, bytes) }
      let isComplete = header != nil && container?.isComplete == true
      let end = isComplete ? container?.end ?? bytes.count : bytes.count
      inventory.images.append(
        SearchedImage(range: start..<end, header: header, isComplete: isComplete)
      )
      if isComplete { position = end }
    }
    return inventory
  }

  /// Names of Adobe's gain map in XMP, which its base image does not have.
  private static let gainMapNames: [StaticString] = [
    "GainMapMin", "GainMapMax", "OffsetSDR", "OffsetHDR", "HDRCapacityMin", "HDRCapacityMax",
  ]

  private static func ownRole(_ image: SearchedImage, _ bytes: Span<UInt8>) -> EmbeddedImage.Role {
    guard let container = image.header?.container else { return .unknown }
    for segment in container.segments {
      if segment.marker == .startOfScan { break }
      func contains(_ text: StaticString) -> Bool {
        bytes.firstOffset(of: text, in: segment.payload) != nil
      }
      switch segment.marker.applicationNumber {
      case 1? where segment.kind(in: bytes) == .xmp:
        if contains("http://ns.apple.com/HDRGainMap/1.0/") { return .gainMap }
        if contains("http://ns.adobe.com/hdr-gain-map/1.0/") {
          for name in gainMapNames where contains(name) { return .gainMap }
        }
        guard contains("AuxiliaryImageType") else { continue }
        if contains("hdrgainmap") { return .gainMap }
        if contains("matte") { return .matte }
        if contains("depth") || contains("disparity") { return .depthMap }
      // A base image has the identifier, a zero byte and two version numbers of two bytes.
      case 2? where segment.payload.count > 32:
        if contains("urn:iso:std:iso:ts:21496:-1") { return .gainMap }
      default: break
      }
    }
    return .unknown
  }

  /// Returns the offsets and roles that the indexes list.
  ///
  /// The container directory's files come first, because their purposes are more precise.
  private static func lists(
    _ primary: Header,
    _ starts: [Int],
    _ bytes: Span<UInt8>
  ) -> [(start: Int, role: EmbeddedImage.Role, isShownTogether: Bool)] {
    var lists: [(start: Int, role: EmbeddedImage.Role, isShownTogether: Bool)] = []
    for block in primary.xmp {
      guard let directory = ContainerDirectory(block) else { continue }
      var position = primary.container.end + (directory.items.first?.padding ?? 0)
      var files: [(start: Int, role: EmbeddedImage.Role)] = []
      for item in directory.items.dropFirst() {
        if !item.mime.hasPrefix("video/") {
          files.append((position, role(semantic: item.semantic)))
        }
        let length = item.length.flatMap { UInt32($0.value)?.length } ?? 0
        position = min(position + length + item.padding, bytes.count)
      }
      // A wrong length moves all files after it; their order is still right.
      if files.count == starts.count, !files.allSatisfy({ starts.contains($0.start) }) {
        files = zip(starts, files).map { ($0, $1.role) }
      }
      lists += files.map { ($0.start, $0.role, false) }
      break
    }
    let index = MultiPictureIndex(primary.container, bytes)
    for entry in index?.entries.dropFirst() ?? []
    where entry.start > primary.container.segments[0].range.lowerBound {
      let isShownTogether = entry.type >> 16 == 2 && (1...3).contains(entry.type & 0xFFFF)
      lists.append((entry.start.length, role(type: entry.type), isShownTogether))
    }
    return lists
  }

  private static func role(semantic: String) -> EmbeddedImage.Role {
    if semantic == "GainMap" { return .gainMap }
    if semantic.hasPrefix("Depth") || semantic.hasPrefix("Confidence") { return .depthMap }
    return semantic == "Original" || semantic == "Primary" ? .view : .unknown
  }

  /// Returns the role of an entry of the multi-picture index (CIPA DC-007, 5.2.3.3.1; Multi-Picture Format 2023).
  private static func role(type: UInt32) -> EmbeddedImage.Role {
    switch (type >> 16, type & 0xFFFF) {
    case (1, 1...2): .preview
    case (2, 1...3), (4, 0): .view
    case (5, 0): .gainMap
    default: .unknown
    }
  }
}
