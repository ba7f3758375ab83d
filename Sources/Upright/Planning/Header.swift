package import ImageOrientation
package import JPEGCore
internal import XMPPacket

/// All that is read of an image before its first scan.
package struct Header: Sendable {
  package var container: Container
  package var frame: Frame
  /// The Exif blocks, one for each Exif segment that can be read.
  package var exif: [TIFFBlock] = []
  /// Why an Exif segment could not be read.
  package var exifProblem: String?
  /// The XMP packets that were read; extended XMP is not among them.
  package var xmp: [XMPBlock] = []
  /// Why an XMP packet could not be read.
  package var xmpProblem: String?
  package var orientation = StoredOrientation.absent
  /// Whether the first scan holds all components.
  package var isInterleaved = false
  /// How much of XMP was read.
  private var xmpExtent: XMPExtent

  /// How much of XMP is read.
  package enum XMPExtent: Sendable {
    /// The packets that can decide on the orientation.
    case orientation
    /// All packets that have something that a rewrite reads or changes.
    case everything
  }

  /// The orientation that a file gives.
  package enum StoredOrientation: Hashable, Sendable {
    case absent
    case value(Orientation)
    /// 0, which cameras and editors write where they do not know the orientation.
    case unknown
    /// A number without a meaning.
    case reserved(Int)
    /// Several tags that contradict each other.
    case unclear([Int])

    /// The orientation that a viewer takes the file to have, if the file gives a clear one.
    package var usable: Orientation? {
      switch self {
      case .value(let orientation): orientation
      case .unknown: .up
      case .absent, .reserved, .unclear: nil
      }
    }

    /// The orientation that the file states.
    package var stated: Orientation? {
      guard case .value(let orientation) = self else { return nil }
      return orientation
    }

    fileprivate init(_ values: [Int]) {
      guard let value = values.first else {
        self = .absent
        return
      }
      let isUnknown = values.contains(0)
      let meant = isUnknown ? 1 : value
      if values.contains(where: { $0 != meant && $0 != 0 }) {
        self = .unclear(values)
      } else if isUnknown {
        self = .unknown
      } else {
        self = Orientation(rawValue: value).map { .value($0) } ?? .reserved(value)
      }
    }
  }

  /// Reads the header of a file, or of the part of it that `container` was read from.
  package init(
    _ container: Container,
    _ bytes: Span<UInt8>,
    xmp extent: XMPExtent = .everything
  ) throws(ContainerError) {
    self.container = container
    xmpExtent = extent
    let firstScan = container.segments.firstIndex { $0.marker == .startOfScan }
    let header = container.segments[..<(firstScan ?? container.segments.endIndex)]
    let frames = header.filter { $0.marker.startsFrame }
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
    guard let firstScan else {
      throw ContainerError(.malformed, at: container.end, "the image has no scan (SOS)")
    }
    frame = try Frame(first, in: bytes)
    // A scan header that makes no sense is for the decoder to complain of.
    let scan = try? ScanHeader(container.segments[firstScan], in: bytes, frame: frame)
    isInterleaved = scan?.components.count == frame.components.count
    guard frame.width > 0 else {
      throw ContainerError(.malformed, at: first.range.lowerBound, "the image is 0 pixels wide")
    }
    let values = readExif(bytes)
    let others = readXMP(bytes, beside: values)
    guard let values else { return }
    // Where Exif says nothing, XMP is honoured.
    orientation = StoredOrientation(values.isEmpty && exifProblem == nil ? others : values)
  }

  /// The header with all packets of XMP that a rewrite reads or changes.
  ///
  /// - Parameter bytes: The bytes that the header was read from.
  /// - Returns: The header.
  package func withAllXMP(_ bytes: Span<UInt8>) -> Header {
    guard case .orientation = xmpExtent else { return self }
    var result = self
    result.xmpExtent = .everything
    _ = result.readXMP(bytes, beside: nil)
    return result
  }

  /// The packets of XMP that were read, and of the others those of the segments that are asked for and can be read.
  func xmp(_ bytes: Span<UInt8>, where isRequested: (Segment) -> Bool) -> [XMPBlock] {
    leadingSegments(.xmp, bytes).compactMap { segment in
      if let block = xmp.first(where: { $0.segment == segment }) { return block }
      return isRequested(segment) ? try? XMPBlock(segment, bytes) : nil
    }
  }

  /// The segments of a kind before the first scan: what stands after it no reader looks at, and an audit
  /// does not either.
  private func leadingSegments(_ kind: SegmentKind, _ bytes: Span<UInt8>) -> [Segment] {
    let all = container.segments(kind, in: bytes)
    guard !all.isEmpty,
      let scan = container.segments.first(where: { $0.marker == .startOfScan })?.range.lowerBound
    else { return all }
    return all.filter { $0.range.upperBound <= scan }
  }

  /// Reads packets of XMP, as many as ``xmpExtent`` says.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that the header is read from.
  ///   - values: What Exif's Orientation says, if it can be read.
  /// - Returns: What XMP's Orientation says.
  private mutating func readXMP(_ bytes: Span<UInt8>, beside values: [Int]?) -> [Int] {
    var orientations: [Int] = []
    xmp = []
    xmpProblem = nil
    for segment in leadingSegments(.xmp, bytes) {
      switch xmpExtent {
      case .everything: guard XMPBlock.matters(segment, bytes) else { continue }
      case .orientation:
        if let settled = XMPBlock.settledOrientations(segment, beside: values, bytes) {
          orientations += settled
          continue
        }
      }
      do throws(XMPError) {
        let block = try XMPBlock(segment, bytes)
        xmp.append(block)
        if let orientation = block.orientation { orientations.append(orientation) }
      } catch {
        xmpProblem = xmpProblem ?? "\(error)"
      }
    }
    return orientations
  }

  /// Reads the Exif blocks.
  ///
  /// - Returns: The values of their Orientation; nil where one is not to be understood.
  private mutating func readExif(_ bytes: Span<UInt8>) -> [Int]? {
    for segment in leadingSegments(.exif, bytes) {
      let start = segment.payload.lowerBound + Segment.identifierLength(.exif)
      let range = min(start, segment.payload.upperBound)..<segment.payload.upperBound
      guard let block = TIFFBlock(bytes, in: range) else {
        // A second one without a header of its own continues a block of more than 64 KiB.
        if exif.isEmpty { exifProblem = exifProblem ?? "it has no TIFF header" }
        continue
      }
      exif.append(block)
    }
    var values: [Int] = []
    for block in exif {
      for entry in block.entries(.ifd0, ExifTag.orientation) {
        guard let value = block.integer(entry, bytes) else {
          exifProblem = "its Orientation is not an integer"
          return nil
        }
        values.append(value)
        guard entry.isInline else {
          // Where so many values are said to stand is not to be trusted.
          exifProblem = "its Orientation has \(entry.count) values instead of 1"
          return nil
        }
      }
      if values.isEmpty, !block.hasWholeIFD0 {
        exifProblem = exifProblem ?? block.problems.first
      }
    }
    return values
  }

  /// Whether images of this kind can be decoded and coded: Huffman-coded DCT coefficients of eight bits, in MCUs
  /// of at most ten blocks (T.81, B.2.3).
  var isDecodable: Bool {
    frame.precision == 8 && frame.height > 0 && !frame.process.isLossless
      && !frame.process.isHierarchical && !frame.process.isArithmetic
      && (!isInterleaved || frame.components.count == 1 || frame.blocksPerMCU <= 10)
  }

  /// The transform that makes the image upright; none where no orientation says so.
  package var transform: OrientationTransform { orientation.usable?.transform ?? .none }

  /// What a transform of the stored raster does to what a viewer sees.
  package func displayed(_ transform: OrientationTransform) -> OrientationTransform {
    self.transform.inverse.then(transform)
  }

  /// Whether the orientation comes from Exif.
  package func hasExifOrientation(_ bytes: Span<UInt8>) -> Bool {
    for block in exif where block.integer(.ifd0, ExifTag.orientation, bytes) != nil { return true }
    return false
  }

  /// The segments that hold C2PA content credentials.
  package func credentialSegments(_ bytes: Span<UInt8>) -> [Segment] {
    let boxes = container.segments(.jumbf, in: bytes)
    // A box that does not fit into one segment goes on in others with the same instance number.
    let instances = boxes.filter {
      bytes.firstOffset(of: "c2pa", in: $0.payload) != nil
    }.map { bytes.uint16(at: $0.payload.lowerBound + 2) }
    return boxes.filter { instances.contains(bytes.uint16(at: $0.payload.lowerBound + 2)) }
  }
}
