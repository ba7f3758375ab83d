internal import FileBytes
internal import JPEGCore
internal import XMPPacket

/// The changes of an image's XMP in other places than XMP segments, where nothing may move.
///
/// The digest of extended XMP, which is its name, follows its content. What cannot be changed is named by a note.
struct FurtherXMPEdits {
  private(set) var edits: [Edit] = []
  private(set) var notes: [Note] = []

  /// Changes packets; `values` returns the new Orientation of one, and its other values.
  init(
    _ header: borrowing Header,
    _ packets: [FurtherXMP],
    _ bytes: Span<UInt8>,
    _ values: (XMPBlock) -> (orientation: [XMPValue], others: [XMPValue])
  ) {
    var extended: [(packet: ExtendedXMP, edits: [Edit], isMoved: Bool)] = []
    for packet in packets {
      guard let block = packet.block else {
        if packet.problem != nil { notes += unreadable(packet, bytes) }
        continue
      }
      let (orientation, others) = values(block)
      var own = packet.edits(orientation + others)
      if own == nil {
        note(others, packet)
        own = packet.edits(orientation)
      }
      if own == nil { notes.append(.orientationKept(in: packet.name)) }
      guard let own, !own.isEmpty else { continue }
      if case .extended(let text) = packet.place {
        extended.append((text, own, !others.isEmpty))
      } else {
        edits += own
      }
    }
    if !extended.isEmpty { change(extended, header, bytes) }
  }

  private mutating func note(_ values: [XMPValue], _ packet: FurtherXMP) {
    if !values.isEmpty { notes.append(.regionsKept(in: packet.name)) }
  }

  private func unreadable(_ packet: FurtherXMP, _ bytes: Span<UInt8>) -> [Note] {
    let text = packet.text(bytes)
    func has(_ mark: StaticString) -> Bool {
      text.span.firstOffset(of: mark, in: text.indices) != nil
    }
    return (has("Orientation") ? [.orientationKept(in: packet.name)] : [])
      + (XMPBlock.positionMarks.contains(where: has) ? [.regionsKept(in: packet.name)] : [])
  }

  /// Changes extended XMP with the digest that names it, in its segments and in the packets that refer to it.
  private mutating func change(
    _ packets: [(packet: ExtendedXMP, edits: [Edit], isMoved: Bool)],
    _ header: Header,
    _ bytes: Span<UInt8>
  ) {
    var header = header
    var references = packets.map { _ in [(place: Range<Int>, segment: Segment)]() }
    let search = ExtendedXMP.References(to: packets.map { $0.packet })
    for segment in header.container.leadingSegments
    where segment.kind(in: bytes) == .xmp {
      for (packet, place) in search.find(in: segment, bytes) {
        references[packet].append((place, segment))
      }
    }
    for ((packet, own, isMoved), references) in zip(packets, references) {
      // A wrong digest is only a name.
      guard packet.digest == ExtendedXMP.digest(of: packet.text(bytes)) else {
        edits += own
        continue
      }
      // What cannot be read is copied, and must still find the extended XMP.
      guard references.allSatisfy({ (try? header.packet($0.segment, bytes)) != nil }) else {
        notes.append(.orientationKept(in: "extended XMP"))
        if isMoved { notes.append(.regionsKept(in: "extended XMP")) }
        continue
      }
      let digest = ExtendedXMP.digest(of: packet.text(of: own, bytes))
      edits += own
      for place in packet.digests + references.map({ $0.place }) {
        let field = Edit.Field("xmp.extended.digest", new: String(decoding: digest, as: UTF8.self))
        edits.append(Edit(place, with: digest, field: field))
      }
    }
  }
}

extension FurtherXMP {
  /// Returns the edits that set values without moving anything, in file order; nil if that is not possible.
  fileprivate func edits(_ values: [XMPValue]) -> [Edit]? {
    guard !values.isEmpty, let block else { return [] }
    let own = block.fittingEdits(values) { placed($0) != nil }
    return own.flatMap { placed($0) }?.map { edit in
      let name = edit.field.identifier
      let rest = name.hasPrefix("xmp.tiff.") ? name.dropFirst(9) : name.dropFirst(4)
      return edit.named("\(field).\(rest)")
    }
  }

  /// Returns edits of the packet in their places in the file; nil if a part would have another length.
  private func placed(_ own: [Edit]) -> [Edit]? {
    var (start, rest) = (0, own[...])
    var placed: [Edit] = []
    for part in parts {
      let ending = rest.prefix { $0.range.upperBound <= start + part.count }
      let inside = ending.filter { start <= $0.range.lowerBound }
      guard inside.totalShift == 0 else { return nil }
      placed += inside.map { $0.moved(by: part.lowerBound - start) }
      rest = rest.dropFirst(ending.count)
      start += part.count
    }
    return placed.count == own.count ? placed : nil
  }
}

extension ExtendedXMP {
  /// Returns the text after edits of the file, in its order, that keep its length.
  fileprivate func text(of edits: [Edit], _ bytes: Span<UInt8>) -> [UInt8] {
    parts.flatMap { part in
      let own = edits.filter {
        part.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= part.upperBound
      }
      return own.map { $0.moved(by: -part.lowerBound) }.applied(to: bytes.bytes(part))
    }
  }
}
