package import FileBytes
package import ImageOrientation
package import JPEGCore
internal import XMPPacket

/// The data of an image before its first scan.
package struct Header: Sendable {
  package var container: Container
  package var frame: Frame
  /// The Exif blocks, one for each Exif segment that can be read.
  package var exif: [TIFFBlock] = []
  /// Second identifiers of Exif segments: only some programs read what is after them.
  package var repeatedExifIdentifiers: [Range<Int>] = []
  /// The Exif segments after a block that have no TIFF header and are not next to it, so that they continue none.
  package var separateExif: [Segment] = []
  /// The problem of an Exif segment that could not be read.
  package var exifProblem: String?
  /// The XMP packets that were read, without extended XMP.
  package var xmp: [XMPBlock] = []
  /// The problem of an XMP packet that could not be read.
  package var xmpProblem: String?
  /// The problem of an XMP packet that is too large or too deep: others may read it.
  package var xmpExcess: String?
  package var orientation = StoredOrientation.absent
  /// Whether the first scan contains all components.
  package var isInterleaved = false
  private var xmpExtent: XMPExtent
  /// The XMP packets that were parsed, each once.
  private var parsed: [Segment: Result<XMPBlock, XMPError>] = [:]

  /// Which XMP packets are read.
  package enum XMPExtent: Sendable {
    /// Packets that affect the orientation.
    case orientation
    /// All packets that a rewrite reads or changes.
    case everything
  }

  /// Reads the header of a file, or of the part of it that `container` was read from.
  package init(
    _ container: Container,
    _ bytes: Span<UInt8>,
    xmp extent: XMPExtent = .everything
  ) throws(ContainerError) {
    self.container = container
    xmpExtent = extent
    let frames = container.leadingSegments.filter { $0.marker.startsFrame }
    guard let first = frames.first else {
      throw ContainerError(.malformed, at: container.end, "the image has no frame header (SOF)")
    }
    guard frames.count == 1 else {
      throw ContainerError(
        .malformed,
        at: frames[1].range.lowerBound,
        "the image has a second frame header (SOF)"
      )
    }
    guard let firstScan = container.firstScan else {
      throw ContainerError(.malformed, at: container.end, "the image has no scan (SOS)")
    }
    frame = try Frame(first, in: bytes)
    // The decoder reports an invalid scan header.
    let scan = try? ScanHeader(container.segments[firstScan], in: bytes, frame: frame)
    isInterleaved = scan?.components.count == frame.components.count
    guard frame.width > 0 else {
      throw ContainerError(.malformed, at: first.range.lowerBound, "the image is 0 pixels wide")
    }
    let values = readExif(bytes)
    let others = readXMP(bytes, beside: values)
    guard let values else { return }
    // XMP is used if Exif gives no orientation.
    orientation = StoredOrientation(values.isEmpty && exifProblem == nil ? others : values)
  }

  /// Returns the header with all XMP packets that a rewrite reads or changes.
  package func withAllXMP(_ bytes: Span<UInt8>) -> Header {
    guard case .orientation = xmpExtent else { return self }
    var result = self
    result.xmpExtent = .everything
    _ = result.readXMP(bytes, beside: nil)
    return result
  }

  /// Returns the XMP packets that were read, and those of other requested segments that can be read.
  mutating func xmp(
    _ bytes: Span<UInt8>,
    where isRequested: (Segment) -> Bool
  ) -> [XMPBlock] {
    var packets: [XMPBlock] = []
    let known = Set(xmp.map { $0.segment })
    for segment in container.leadingSegments(.xmp, in: bytes)
    where known.contains(segment) || isRequested(segment) {
      if let block = try? packet(segment, bytes) { packets.append(block) }
    }
    return packets
  }

  /// Returns the packet of an XMP segment.
  mutating func packet(_ segment: Segment, _ bytes: Span<UInt8>) throws(XMPError) -> XMPBlock {
    if let known = parsed[segment] { return try known.get() }
    let packet = Result { () throws(XMPError) in try XMPBlock(segment, bytes) }
    parsed[segment] = packet
    return try packet.get()
  }

  /// Takes over the packets that were parsed for another value of this header.
  mutating func adoptPackets(of other: Header) { parsed = other.parsed }

  /// Reads the XMP packets of ``xmpExtent`` and returns the values of XMP's Orientation.
  private mutating func readXMP(_ bytes: Span<UInt8>, beside values: [Int64]?) -> [Int64] {
    var orientations: [Int64] = []
    xmp = []
    (xmpProblem, xmpExcess) = (nil, nil)
    // Without expat, whatever a rewrite reads may be an obstacle to it.
    let extent = XMLPart.hasExpat ? xmpExtent : .everything
    for segment in container.leadingSegments(.xmp, in: bytes) {
      switch extent {
      case .everything: guard XMPBlock.matters(segment, bytes) else { continue }
      case .orientation:
        if let settled = XMPBlock.settledOrientations(segment, beside: values, bytes) {
          orientations += settled
          continue
        }
      }
      do throws(XMPError) {
        let block = try packet(segment, bytes)
        xmp.append(block)
        if let orientation = block.orientation { orientations.append(orientation) }
      } catch {
        xmpProblem = xmpProblem ?? "\(error)"
        if error.isOfThisReader { xmpExcess = xmpExcess ?? "\(error)" }
      }
    }
    if !XMLPart.hasExpat {
      xmpExcess = xmpExcess ?? furtherXMP(bytes).lazy.compactMap { $0.unsupported }.first
    }
    return orientations
  }

  /// Reads the Exif blocks and returns the values of Orientation, or nil if one cannot be read.
  private mutating func readExif(_ bytes: Span<UInt8>) -> [Int64]? {
    for segment in container.leadingSegments(.exif, in: bytes) {
      // It is a part of the block before it.
      if exif.last.map({ $0.range.upperBound > segment.range.lowerBound }) == true { continue }
      let identifier = Segment.identifierLength(.exif)
      var start = segment.payload.lowerBound + identifier
      // Programs put the identifier before a block that has one.
      let repeated = start..<start + identifier
      let isRepeated =
        repeated.upperBound < segment.payload.upperBound && bytes.hasPrefix("Exif\0\0", at: start)
      if isRepeated { start = repeated.upperBound }
      let gaps = continuations(of: segment, bytes)
      let end = gaps.last.flatMap { container.segment(at: $0.upperBound)?.range.upperBound }
      let range =
        min(start, segment.payload.upperBound)..<(end ?? segment.payload.upperBound)
      guard let block = TIFFBlock(bytes, in: range, gaps: gaps) else {
        // No reader reads a second segment without a TIFF header that is not next to a block.
        if exif.isEmpty {
          exifProblem = exifProblem ?? "it has no TIFF header"
        } else {
          separateExif.append(segment)
        }
        continue
      }
      exif.append(block)
      if isRepeated { repeatedExifIdentifiers.append(repeated) }
    }
    var values: [Int64] = []
    for block in exif {
      if let problem = block.orientationProblem(bytes) {
        exifProblem = problem
        return nil
      }
      values += block.entries(.ifd0, ExifTag.orientation).compactMap { block.integer($0, bytes) }
      if values.isEmpty, !block.hasWholeIFD0 {
        exifProblem = exifProblem ?? block.problems.first
      }
    }
    return values
  }

  /// Returns the headers of the segments that continue the Exif block of a segment, from the end of the segment before
  /// each (Exif 3.0, 4.7.2): the next ones, without a TIFF header.
  private func continuations(of segment: Segment, _ bytes: Span<UInt8>) -> [Range<Int>] {
    var headers: [Range<Int>] = []
    let next = container.segments.partitionPoint { $0.range.lowerBound > segment.range.lowerBound }
    var end = segment.range.upperBound
    for other in container.segments[next...] {
      let start = other.payload.lowerBound + Segment.identifierLength(.exif)
      guard other.kind(in: bytes) == .exif, start < other.payload.upperBound,
        !bytes.hasPrefix("II*\0", at: start), !bytes.hasPrefix("MM\0*", at: start),
        !bytes.hasPrefix("Exif\0\0", at: start)
      else { break }
      headers.append(end..<start)
      end = other.range.upperBound
    }
    return headers
  }

  /// Whether the image can be decoded and encoded: Huffman-coded, DCT-based, 8 bits per sample, at most ten blocks per
  /// MCU (T.81, B.2.3).
  var isDecodable: Bool {
    frame.precision == 8 && frame.height > 0 && !frame.process.isLossless
      && !frame.process.isHierarchical && !frame.process.isArithmetic
      && (!isInterleaved || frame.components.count == 1 || frame.blocksPerMCU <= 10)
  }

  /// The transform that normalizes the image; `.none` without a valid orientation.
  package var transform: OrientationTransform { orientation.usable?.transform ?? .none }

  /// Returns the transform of the displayed image that corresponds to a transform of the stored raster.
  package func displayed(_ transform: OrientationTransform) -> OrientationTransform {
    self.transform.inverse.then(transform)
  }

  /// Whether only some programs find the Orientation of Exif, because all blocks are after a second identifier.
  func hidesExifOrientation(_ bytes: Span<UInt8>) -> Bool {
    exif.count == repeatedExifIdentifiers.count && hasExifOrientation(bytes)
  }

  /// Returns the last segment of an Exif block.
  func segment(of block: TIFFBlock) -> Segment? {
    container.segment(at: block.range.upperBound - 1)
  }

  package func hasExifOrientation(_ bytes: Span<UInt8>) -> Bool {
    exif.contains { $0.integer(.ifd0, ExifTag.orientation, bytes) != nil }
  }

  package func credentialSegments(_ bytes: Span<UInt8>) -> [Segment] {
    let boxes = container.segments(.jumbf, in: bytes)
    guard !boxes.isEmpty else { return [] }
    // A box that does not fit into one segment continues in others with the same instance number.
    let instances = Set(
      boxes.filter { bytes.firstOffset(of: "c2pa", in: $0.payload) != nil }
        .map { bytes.uint16(at: $0.payload.lowerBound + 2) }
    )
    return boxes.filter { instances.contains(bytes.uint16(at: $0.payload.lowerBound + 2)) }
  }

  /// Returns the segments before the first scan that hold the data to undo the last rewrite.
  package func undoSegments(_ bytes: Span<UInt8>) -> [Segment] {
    container.leadingSegments(.undoData, in: bytes)
  }
}
