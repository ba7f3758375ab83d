internal import FileBytes
internal import JPEGCore

/// The segments of an XMP packet of any length (XMP specification, part 3, 1.1.3).
enum XMPSegments {
  /// Returns the segments of a packet.
  ///
  /// A packet of more than 65,504 bytes is stored without its wrapper as extended XMP, which a short packet refers to.
  static func bytes(of packet: [UInt8]) -> [[UInt8]] {
    if let segment = SegmentBytes.xmp(packet) { return [segment] }
    let serialization = withoutWrapper(packet)
    if let segment = SegmentBytes.xmp(serialization) { return [segment] }
    let identifier = MD5.digest(of: serialization).hexadecimal(uppercase: true)
    let head = SegmentBytes.xmp(Array(standardPacket(naming: identifier).utf8))
    return [head].compactMap { $0 }
      + SegmentBytes.extendedXMP(serialization, identifier: identifier)
  }

  private static func standardPacket(naming identifier: String) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:xmpNote="http://ns.adobe.com/xmp/note/"
        xmpNote:HasExtendedXMP="\(identifier)"/>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  /// Returns the packet without `<?xpacket?>` instructions and padding.
  private static func withoutWrapper(_ packet: [UInt8]) -> [UInt8] {
    var range = packet.startIndex..<packet.endIndex
    let padding: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
    func trim() {
      while let first = packet[range].first, padding.contains(first) {
        range = range.lowerBound + 1..<range.upperBound
      }
      while let last = packet[range].last, padding.contains(last) {
        range = range.lowerBound..<range.upperBound - 1
      }
    }
    trim()
    if packet[range].starts(with: "<?xpacket".utf8),
      let end = packet.span.firstOffset(of: "?>", in: range)
    {
      range = end + 2..<range.upperBound
    }
    let tail = packet[range].suffix(64)
    if packet[range].reversed().starts(with: ">?".utf8),
      let start = packet.span.firstOffset(of: "<?xpacket", in: tail.indices)
    {
      range = range.lowerBound..<start
    }
    trim()
    return Array(packet[range])
  }
}
