internal import FileBytes

/// The structure of one JPEG image in a buffer: its segments and its entropy-coded data, as ranges.
///
/// Bytes between two ranges are fill bytes or stray bytes. Nothing is copied, so nothing is lost.
package struct Container: Sendable {
  /// A run of entropy-coded data, with the restart markers in it.
  package struct Scan: Hashable, Sendable {
    /// The index of the SOS segment in ``Container/segments``.
    package var segment: Int
    /// The entropy-coded bytes, without fill bytes after them.
    package var data: Range<Int>
  }

  /// How much of the file is read.
  package enum Extent: Sendable {
    /// Up to the first SOS segment, as an audit requires.
    case header
    /// Up to EOI.
    case image
  }

  /// The limits for hostile files.
  private static let maxSegments = 100_000
  private static let maxScans = 1_000

  /// Every segment in file order, from SOI to EOI.
  package private(set) var segments: [Segment] = []
  /// The index of the first SOS segment in ``segments``; nil if there is none.
  package private(set) var firstScan: Int?
  /// The scans in file order; empty if only the header was read.
  package private(set) var scans: [Scan] = []
  /// The offset of the first byte after the image: after EOI, or where the file was truncated.
  package private(set) var end = 0
  /// The offset of the first byte between two segments that belongs to neither, which libjpeg warns of: data, or a
  /// restart marker.
  package private(set) var strayByteOffset: Int?
  /// Whether EOI was found.
  package private(set) var isComplete = false

  /// Reads the structure of the image that begins at `start`.
  ///
  /// With the extent `.header`, the beginning of the file suffices, and `truncated` means that more of it is needed.
  package init(
    _ bytes: Span<UInt8>,
    at start: Int = 0,
    extent: Extent = .image
  ) throws(ContainerError) {
    guard start < bytes.count else {
      throw ContainerError(
        .empty,
        at: start,
        start == 0 ? "the file is empty" : "there are no bytes"
      )
    }
    guard bytes.uint16(at: start) == 0xFFD8 else {
      if bytes.count - start == 1, bytes[start] == 0xFF {
        throw ContainerError(.truncated, at: start, "the file ends after one byte")
      }
      throw ContainerError(.notJPEG, at: start, "not a JPEG: it does not begin with SOI (FF D8)")
    }
    segments.reserveCapacity(16)
    segments.append(
      Segment(marker: .startOfImage, range: start..<start + 2, payload: start + 2..<start + 2)
    )
    try read(bytes, from: start + 2, extent)
  }

  /// Returns the structure of the image that begins at `start`, or of its header if the rest is damaged; nil if that is,
  /// too.
  ///
  /// How many bytes were read is subtracted from `room`.
  package static func readable(
    at start: Int,
    _ room: inout Int,
    _ bytes: Span<UInt8>
  ) -> Container? {
    for extent in [Extent.image, .header] {
      do throws(ContainerError) {
        let container = try Container(bytes, at: start, extent: extent)
        room -= container.end - start
        return container
      } catch {
        room -= error.offset - start
      }
    }
    return nil
  }

  /// Returns the structure of the whole image, of which only the header was read.
  package func completed(_ bytes: Span<UInt8>) throws(ContainerError) -> Container {
    var container = self
    let position = try container.readScan(bytes)
    try container.read(bytes, from: position, .image)
    return container
  }

  private mutating func read(
    _ bytes: Span<UInt8>,
    from start: Int,
    _ extent: Extent
  ) throws(ContainerError) {
    var position = start
    while true {
      guard let marker = bytes.indexOfFF(from: position) else { return try endEarly(bytes, extent) }
      if marker != position { strayByteOffset = strayByteOffset ?? position }
      position = marker
      while position + 1 < bytes.count, bytes[position + 1] == 0xFF { position += 1 }
      guard position + 1 < bytes.count else { return try endEarly(bytes, extent) }
      let next = Marker(rawValue: bytes[position + 1])
      if next.rawValue == 0 {
        strayByteOffset = strayByteOffset ?? position
        position += 2
        continue
      }
      if !scans.isEmpty, next.isReserved {
        throw .malformed(
          at: position,
          "there is a reserved \(next) after a scan, where EOI is expected"
        )
      }
      let segment = try Self.segment(next, in: bytes, at: position)
      if segment.marker == .startOfImage {
        throw .malformed(
          at: position,
          "there is a second SOI before EOI: the first image is incomplete"
        )
      }
      if segment.marker.isRestart { strayByteOffset = strayByteOffset ?? position }
      if segment.marker == .startOfScan { firstScan = firstScan ?? segments.count }
      segments.append(segment)
      guard segments.count <= Self.maxSegments else {
        throw ContainerError(.limit, at: position, "more than \(Self.maxSegments) segments")
      }
      position = segment.range.upperBound
      end = position
      switch segment.marker {
      case .endOfImage:
        isComplete = true
        return
      case .startOfScan:
        if case .header = extent { return }
        position = try readScan(bytes)
      default: break
      }
    }
  }

  /// Adds the scan whose SOS segment was read last, and returns the end of its data.
  private mutating func readScan(_ bytes: Span<UInt8>) throws(ContainerError) -> Int {
    let start = end
    end = bytes.endOfEntropyCodedData(from: start)
    scans.append(Scan(segment: segments.count - 1, data: start..<end))
    guard scans.count <= Self.maxScans else {
      throw ContainerError(.limit, at: start, "more than \(Self.maxScans) scans")
    }
    return end
  }

  private static func segment(
    _ marker: Marker,
    in bytes: Span<UInt8>,
    at position: Int
  ) throws(ContainerError) -> Segment {
    guard !marker.isStandalone else {
      return Segment(
        marker: marker,
        range: position..<position + 2,
        payload: position + 2..<position + 2
      )
    }
    guard let length = bytes.uint16(at: position + 2) else {
      throw ContainerError(.truncated, at: position, "the file ends in the \(marker) segment")
    }
    guard length >= 2 else {
      throw .malformed(at: position + 2, "the \(marker) segment gives its own length as \(length)")
    }
    let end = position + 2 + Int(length)
    guard end <= bytes.count else {
      throw ContainerError(
        .truncated,
        at: position,
        "the \(marker) segment is \(length) bytes long, the file ends after \(bytes.count - position - 2)"
      )
    }
    return Segment(marker: marker, range: position..<end, payload: position + 4..<end)
  }

  /// Returns the end of the first segment that is not completely within the beginning of a file; nil if the beginning
  /// contains everything up to the first scan, or is invalid.
  package static func endOfCutSegment(_ beginning: Span<UInt8>) -> Int? {
    var position = 2
    while position + 4 <= beginning.count {
      let marker = Marker(rawValue: beginning[position + 1])
      guard beginning[position] == 0xFF, (0xC0...0xFE).contains(marker.rawValue),
        !marker.isStandalone, marker != .startOfScan
      else { return nil }
      position += 2 + Int(beginning.uint16(at: position + 2) ?? 0)
      if position > beginning.count { return position }
    }
    return position + 4
  }

  private mutating func endEarly(_ bytes: Span<UInt8>, _ extent: Extent) throws(ContainerError) {
    end = bytes.count
    if case .header = extent {
      throw ContainerError(.truncated, at: bytes.count, "the file ends before the first scan")
    }
  }

  /// The segments before the first scan; all if there is none.
  package var leadingSegments: ArraySlice<Segment> {
    segments[..<(firstScan ?? segments.endIndex)]
  }

  /// Returns the segments of a kind, in file order.
  package func segments(_ kind: SegmentKind, in bytes: Span<UInt8>) -> [Segment] {
    segments[...].ofKind(kind, in: bytes)
  }

  /// Returns the segments of a kind before the first scan, in file order.
  ///
  /// Later ones are ignored by most readers.
  package func leadingSegments(_ kind: SegmentKind, in bytes: Span<UInt8>) -> [Segment] {
    leadingSegments.ofKind(kind, in: bytes)
  }

  /// Returns the segment that contains a byte; nil if none does.
  package func segment(at offset: Int) -> Segment? {
    let next = segments.partitionPoint { $0.range.lowerBound > offset }
    return next > 0 && segments[next - 1].range.contains(offset) ? segments[next - 1] : nil
  }

  /// Whether a DNL segment gives the height of the image, too (T.81, B.2.5).
  package var hasDNL: Bool { segments.contains { $0.marker == .defineNumberOfLines } }

  /// The offset of the EOI marker's 0xFF, or nil if there is no EOI.
  package var endOfImageOffset: Int? {
    isComplete ? segments.last?.range.lowerBound : nil
  }
}

extension Span<UInt8> {
  /// Returns how many bytes may be read in sum if those from an offset on are read so many times.
  package func room(after start: Int, passes: Int) -> Int {
    Int(clamping: Int64(passes) * Int64(Swift.max(0, count - start)))
  }
}

extension ArraySlice<Segment> {
  fileprivate func ofKind(_ kind: SegmentKind, in bytes: Span<UInt8>) -> [Segment] {
    let application = kind.application
    var found: [Segment] = []
    for segment in self where segment.marker.carriesMetadata {
      if let application, segment.marker.applicationNumber != application { continue }
      if segment.kind(in: bytes) == kind { found.append(segment) }
    }
    return found
  }
}
