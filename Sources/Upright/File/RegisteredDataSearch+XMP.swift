internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Data that XMP describes.
extension RegisteredDataSearch {
  mutating func searchXMP(_ photo: inout JPEGPhoto) {
    let file = photo.bytes
    let bytes = file.span
    for segment in leadingSegments where segment.kind(in: bytes) == .xmp {
      let text = segment.payload.dropFirst(Segment.identifierLength(.xmp))
      searchXMP(bytes.bytes(text).span, of: segment.range.lowerBound) { photo.packet(segment) }
    }
    for packet in header.furtherXMP(bytes) {
      let text = packet.text(bytes)
      searchXMP(text.span, of: packet.parts.first?.lowerBound ?? 0, isFurther: true) {
        packet.block ?? (try? XMPPacket(text)).map { XMPBlock($0) }
      }
    }
  }

  private mutating func searchXMP(
    _ text: Span<UInt8>,
    of offset: Int,
    isFurther: Bool = false,
    _ packet: () -> XMPBlock?
  ) {
    // A search of the whole text for each kind.
    for row in Reference.rows(in: .packet) where effect(of: row, isFurther: isFurther) != nil {
      switch row.place {
      case .property(let name, let namespace) where Self.has(name, of: namespace, text):
        add(row, at: offset)
      case .text(let mark) where text.firstOffset(of: mark, in: 0..<text.count) != nil:
        add(row, at: offset)
      // Some programs place the image without a projection.
      case .panorama
      where Self.has("ProjectionType", of: "://ns.google.com/photos/1.0/panorama/", text)
        || Self.has("CroppedAreaLeftPixels", of: "://ns.google.com/photos/1.0/panorama/", text):
        add(row, at: offset, fitsTransformedImage(packet) ? .independent : nil)
      case .packet(let mark, let isMeant)
      where text.firstOffset(of: mark, in: 0..<text.count) != nil
        && packet().map(isMeant) == true:
        add(row, at: offset, isFurther: isFurther)
      default: break
      }
    }
  }

  /// Returns whether a text has a property, with any prefix that it declares for the namespace.
  private static func has(
    _ name: StaticString,
    of namespace: StaticString,
    _ text: Span<UInt8>
  ) -> Bool {
    let prefixes = prefixes(of: namespace, text)
    guard !prefixes.isEmpty else { return false }
    let lengths = Set(prefixes.map { $0.count })
    var place = 0
    while let colon = text.firstOffset(of: ":", in: place..<text.count) {
      // No prefix contains a colon.
      let longest = colon - place
      place = colon + 1
      let end = place + name.utf8CodeUnitCount
      guard text.hasPrefix(name, at: place), end < text.count,
        lengths.contains(where: {
          $0 <= longest && prefixes.contains(text.bytes(colon - $0..<colon))
        })
      else { continue }
      switch text[end] {
      case UInt8(ascii: "="), UInt8(ascii: ">"), 0x20, 0x0A, 0x0D, 0x09: return true
      default: continue
      }
    }
    return false
  }

  /// Returns the prefixes that a text declares for a namespace.
  private static func prefixes(of namespace: StaticString, _ text: Span<UInt8>) -> Set<[UInt8]> {
    var prefixes: Set<[UInt8]> = []
    var position = 0
    while let uri = text.firstOffset(of: namespace, in: position..<text.count) {
      position = uri + namespace.utf8CodeUnitCount
      if let prefix = prefix(declaredBefore: uri, text) { prefixes.insert(prefix) }
    }
    return prefixes
  }

  /// The maximum length of a declaration before its URI.
  private static let maxDeclaration = 128

  /// Returns the prefix of `xmlns:PREFIX="http` that ends at an offset.
  private static func prefix(declaredBefore offset: Int, _ text: Span<UInt8>) -> [UInt8]? {
    let start = max(0, offset - maxDeclaration)
    var position = offset - 1
    func skip(while isSkipped: (UInt8) -> Bool) {
      while position >= start, isSkipped(text[position]) { position -= 1 }
    }
    skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "<") }
    position -= 1
    skip { $0 == UInt8(ascii: "=") || $0 <= 0x20 }
    let end = position + 1
    skip { $0 != UInt8(ascii: ":") && $0 > 0x20 }
    guard position >= start, end - position > 1, text[position] == UInt8(ascii: ":") else {
      return nil
    }
    return text.bytes(position + 1..<end)
  }

  /// Returns whether Photo Sphere XMP describes the transformed image, too: it gives the proportions of the displayed image
  /// and not those of the stored one, or a whole sphere, which has the same edges upside down and mirrored.
  private func fitsTransformedImage(_ packet: () -> XMPBlock?) -> Bool {
    guard !isCropped, let panorama = packet()?.panorama else { return false }
    let size = StatedSize(header.frame.size)
    guard transform.transposes else {
      return panorama.isWholeSphere && panorama.full.isInProportion(to: size)
    }
    guard keepsDisplayedImage, header.frame.size.shape != nil else { return false }
    return panorama.cropped.isInProportion(to: size.transposed)
  }
}
