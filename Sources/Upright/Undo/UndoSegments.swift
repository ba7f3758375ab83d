internal import FileBytes
internal import JPEGCore

/// The segments of a photo that hold the data to undo its last rewrite (`docs/record-format.md`, section 10).
package struct UndoSegments {
  private let file: [UInt8]
  private let header: Header
  private let segments: [Segment]

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

  package var isEmpty: Bool { segments.isEmpty }

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

  private var removals: [Edit] { header.undoRemovals(file.span) }

  /// The file without the segments, in which fill bytes keep the data after the image in its place, and its length where
  /// that is listed.
  package var removed: [UInt8] {
    var edits = removals
    let isListed =
      MultiPictureIndex(header.container, file.span) != nil
      || header.withAllXMP(file.span).listsOwnLength
    if header.container.end < file.count || isListed, let end = header.container.endOfImageOffset {
      edits.compensate(edits.totalShift, before: end)
    }
    return edits.applied(to: file)
  }
}

extension Header {
  /// The offset before which undo data is inserted: that of the first scan's header.
  ///
  /// Programs that read the beginning of a file, for its metadata or its dimensions, need not read the undo data.
  package var placeForUndo: Int? {
    container.firstScan.map { container.segments[$0].range.lowerBound }
  }

  /// Returns the edits that remove undo data.
  func undoRemovals(_ bytes: Span<UInt8>) -> [Edit] {
    undoSegments(bytes).map { .removal($0.range, "undo-data") }
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
