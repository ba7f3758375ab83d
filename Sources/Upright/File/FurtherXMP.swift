internal import FileBytes
internal import JPEGCore
internal import XMPPacket

/// An XMP packet of an image in another place than an XMP segment: extended XMP, which has what does not fit into the
/// segment, and copies in Exif (0x02BC) and in Photoshop's resources (1060).
struct FurtherXMP: Sendable {
  enum Place: Sendable {
    case extended(ExtendedXMP)
    case exif
    /// The words are those for the place of the resources.
    case photoshop(String)
  }

  let place: Place
  /// The parts of the packet, in the order of the file.
  let parts: [Range<Int>]
  /// The packet; nil if it has no property that matters, or cannot be read.
  private(set) var block: XMPBlock?
  /// Why it cannot be read, although it has properties that matter.
  private(set) var problem: XMPError?

  init(_ place: Place, _ parts: [Range<Int>], _ bytes: Span<UInt8>) {
    (self.place, self.parts) = (place, parts)
    let text = text(bytes)
    guard Self.marks.contains(where: { text.span.firstOffset(of: $0, in: text.indices) != nil })
    else { return }
    do throws(XMPError) { block = XMPBlock(try XMPPacket(text)) } catch { problem = error }
  }

  /// Why only this build cannot read it; nil if it can, or others may not either.
  var unsupported: String? {
    guard case .unsupportedNotation = problem else { return nil }
    return problem.map { "\($0)" }
  }

  private static let marks = XMPBlock.positionMarks + ["Orientation"]

  /// Returns the bytes of the packet.
  func text(_ bytes: Span<UInt8>) -> [UInt8] { parts.flatMap { bytes.bytes($0) } }

  /// The place as text for people.
  var name: String {
    switch place {
    case .extended: "extended XMP"
    case .exif: "XMP in Exif"
    case .photoshop(let words): "XMP in Photoshop's resources\(words)"
    }
  }

  /// The prefix of the names of its changes.
  var field: String {
    switch place {
    case .extended: "xmp.extended"
    case .exif: "exif.ifd0.xmp"
    case .photoshop: "photoshop.1060"
    }
  }
}

extension Header {
  /// Returns the packets of the image in other places than XMP segments.
  func furtherXMP(_ bytes: Span<UInt8>) -> [FurtherXMP] {
    var packets: [FurtherXMP] = []
    for block in exif {
      for entry in block.entries(.ifd0, ExifTag.xmp) {
        if let value = entry.value { packets.append(FurtherXMP(.exif, [value], bytes)) }
      }
    }
    for found in imageResources(bytes) {
      for resource in found.resources where resource.number == ImageResource.xmp {
        let data = resource.data.clamped(to: found.whole)
        packets.append(FurtherXMP(.photoshop(found.place), [data], bytes))
      }
    }
    for packet in ExtendedXMP.list(container.leadingSegments(.extendedXMP, in: bytes), bytes) {
      packets.append(FurtherXMP(.extended(packet), packet.parts, bytes))
    }
    return packets
  }
}
