package import JPEGCore
internal import XMPPacket

/// The segments of a photo that hold the data to undo its last rewrite (`docs/record-format.md`, section 10).
package struct UndoSegments {
  private let file: [UInt8]
  private let header: Header
  private let segments: [Segment]

  /// Finds the segments of a file.
  package init(_ file: [UInt8]) throws(UprightError) {
    self.file = file
    header = try JPEGPhoto(file).header
    segments = header.undoSegments(file.span)
  }

  /// Returns whether a file has such segments; only its header is read.
  package static func exist(in file: [UInt8]) -> Bool {
    // Most files have none, and need not be opened once more.
    guard let container = try? Container(file.span, extent: .header),
      !container.segments(.undoData, in: file.span).isEmpty
    else { return false }
    return (try? JPEGPhoto(leading: file))?.header.undoSegments(file.span).isEmpty == false
  }

  /// Whether there are no such segments.
  package var isEmpty: Bool { segments.isEmpty }

  /// The number of bytes of the segments.
  package var size: Int { segments.reduce(0) { $0 + $1.range.count } }

  /// The data in the segments, or nil if a segment is missing or in another place.
  package var data: [UInt8]? {
    var data: [UInt8] = []
    for (index, segment) in segments.enumerated() {
      let start = segment.payload.lowerBound + Self.identifier.count
      guard start + 2 <= segment.payload.upperBound, file[start] == index + 1,
        file[start + 1] == segments.count
      else { return nil }
      data += file[start + 2..<segment.payload.upperBound]
    }
    return data
  }

  /// The file without the segments.
  package var content: [UInt8] { removals.applied(to: file) }

  private var removals: [Edit] { segments.map { .removal($0.range, "undo-data") } }

  /// The offset before which the segments are inserted: that of the first scan's header.
  ///
  /// Programs that read the beginning of a file, for its metadata or its dimensions, need not read the undo data.
  package var place: Int? {
    header.container.segments.first { $0.marker == .startOfScan }?.range.lowerBound
  }
}

extension UndoSegments {
  private static let identifier = Array("Upright undo\0".utf8)

  private static let maxPart = SegmentBytes.maxPayload - identifier.count - 2

  /// Returns the segments of some data, or nil if there would be more than 255.
  package static func bytes(of data: [UInt8]) -> [UInt8]? {
    let count = max(1, (data.count + maxPart - 1) / maxPart)
    guard count <= 255 else { return nil }
    var bytes: [UInt8] = []
    for index in 0..<count {
      let part = data[index * maxPart..<min((index + 1) * maxPart, data.count)]
      let payload = identifier + [UInt8(index + 1), UInt8(count)] + part
      bytes += SegmentBytes.application(15, payload) ?? []
    }
    return bytes
  }
}

extension UndoSegments {
  /// Returns the edits that remove the segments and update the file for others in their place.
  ///
  /// Data after the image keeps its position if fill bytes can replace the segments, or be replaced by them. Otherwise
  /// the known offsets are updated. The result is nil if the data must not move, or an offset cannot be updated.
  package func edits(insertingLater count: Int, fill: Int) -> (edits: [Edit], shift: Int)? {
    var edits = removals
    let shift = count + edits.totalShift
    guard header.container.end < file.count, shift != 0 else { return (edits, 0) }
    if shift <= fill, let end = header.container.endOfImageOffset {
      let removed = max(shift, 0)
      let bytes = [UInt8](repeating: 0xFF, count: max(-shift, 0))
      edits.append(Edit(end - removed..<end, with: bytes, field: Edit.Field("fill")))
      return (edits, 0)
    }
    guard let place, !SamsungTrailer.hasAbsoluteOffsets(file, after: header.container.end) else {
      return nil
    }
    let insertion = Edit(
      place..<place,
      with: [UInt8](repeating: 0, count: count),
      field: Edit.Field("undo-data")
    )
    guard let lengths = lengthEdits(edits + [insertion]) else { return nil }
    edits += lengths
    let index = MultiPictureIndex(header.container, file.span)
    edits += index?.edits(following: edits + [insertion], file.span) ?? []
    guard edits.areDisjoint, !header.sharesBytes(edits, header.thumbnails(file.span), file.span)
    else { return nil }
    return (edits, edits.totalShift + count)
  }

  /// Returns the edits of the container directory, if it gives the length of the primary image; nil if the packet has no
  /// room.
  private func lengthEdits(_ others: [Edit]) -> [Edit]? {
    var edits: [Edit] = []
    for block in header.withAllXMP(file.span).xmp {
      guard let length = ContainerDirectory(block)?.items.first?.length,
        Int(length.value) == header.container.end
      else { continue }
      var own: [Edit] = []
      // A longer number can make the packet longer, once.
      for _ in 0..<2 {
        let end = header.container.end + (others + edits + own).totalShift
        let value = XMPBlock.Value(length, "\(end)", field: "xmp.container.0.Length")
        guard let changes = block.edits([value]) else { return nil }
        own = changes
      }
      edits += own
    }
    return edits
  }
}
