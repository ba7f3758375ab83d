internal import FileBytes
package import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Updates metadata to describe an image that a decoder has already transformed.
///
/// In HEIF, properties of the file transform the image, and Exif's Orientation is only informative (ISO/IEC 23008-12,
/// A.2.1). The image must not be transformed again.
package struct DecodedMetadata: Sendable {
  /// The transform that the decoder applies to the stored raster.
  package var transform: OrientationTransform
  /// The size of the stored raster.
  package var stored: PixelSize
  /// The size of the decoded image.
  package var shown: PixelSize
  /// The policies for regions and resolutions.
  package var options: Options

  package init(
    transform: OrientationTransform,
    stored: PixelSize,
    shown: PixelSize,
    options: Options = Options()
  ) {
    self.transform = transform
    self.stored = stored
    self.shown = shown
    self.options = options
  }

  /// Metadata for the new file.
  package struct Result: Sendable {
    /// An Exif block, from its byte order mark, or an XMP packet.
    package var bytes: [UInt8]
    /// The changes; their ranges are offsets in the source's block or packet.
    package var changes: [Change]
    package var notes: [Note] = []
  }

  /// The error of metadata that cannot be copied.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
  }

  /// Returns the Exif block with Orientation 1, the new dimensions and the transformed thumbnail.
  package func exif(_ block: [UInt8]) throws(Failure) -> Result {
    guard let segment = SegmentBytes.exif(block) else {
      throw Failure("its \(block.count) bytes do not fit into a JPEG segment (64 KiB)")
    }
    let start = segment.count - block.count
    guard let tiff = TIFFBlock(segment.span, in: start..<segment.count) else {
      throw Failure("it has no TIFF header")
    }
    guard tiff.hasWholeIFD0, !tiff.isCut else {
      throw Failure(tiff.problems.first ?? "its IFD0 is truncated")
    }
    var edits = tiff.normalizationEdits(
      transform: transform,
      from: stored,
      to: shown,
      swapsResolution: options.resolution == .follow,
      segment.span
    )
    var notes = orientationNotes(tiff, segment.span)
    if isMoved {
      if options.regions == .follow, let geometry = wholeGeometry,
        let moved = tiff.subjectEdits(geometry, segment.span)
      {
        edits += moved
      } else {
        for (tag, name) in [
          (ExifTag.subjectArea, "SubjectArea"), (ExifTag.subjectLocation, "SubjectLocation"),
        ] where !tiff.entries(.exif, tag).isEmpty {
          notes.append(
            Note(.regionKept, "\(name) is kept and describes the image as it was stored")
          )
        }
      }
    }
    let (thumbnailEdits, thumbnailNotes) = thumbnail(tiff, segment)
    edits += thumbnailEdits
    guard edits.areDisjoint else {
      throw Failure("two fields that must change share the same bytes")
    }
    let result = edits.applied(to: segment)
    let own = edits.filter { $0.range.lowerBound >= start }.map { $0.moved(by: -start) }
    return Result(
      bytes: Array(result[start...]),
      changes: own.changes,
      notes: notes + thumbnailNotes
    )
  }

  /// Returns a note if Orientation gives another transform than the decoder's.
  private func orientationNotes(_ tiff: TIFFBlock, _ bytes: Span<UInt8>) -> [Note] {
    guard let value = tiff.integer(.ifd0, ExifTag.orientation, bytes), value != 1,
      Orientation(rawValue: value.length)?.transform != transform
    else { return [] }
    return [
      Note(
        .orientationIgnored,
        "Exif's Orientation \(value) was ignored, as the HEIF standard requires; the image is shown "
          + "as the HEIF file shows it"
      )
    ]
  }

  private func thumbnail(_ tiff: TIFFBlock, _ segment: [UInt8]) -> ([Edit], notes: [Note]) {
    guard transform != .none, let thumbnail = Thumbnail(tiff, segment.span) else { return ([], []) }
    let isUpright =
      transform.transposes && thumbnail.size?.isSideways(against: stored) == true
    let result = ThumbnailTransformer(
      thumbnail: thumbnail,
      transform: isUpright ? .none : transform,
      segment: Segment(marker: .app(1), range: 0..<segment.count, payload: 4..<segment.count),
      options: options
    ).rewrite(segment)
    return (result.edits, result.notes)
  }

  /// Returns the XMP packet with Orientation 1 and the new dimensions.
  package func xmp(_ packet: [UInt8]) throws(Failure) -> Result {
    let block: XMPBlock
    do throws(XMPError) {
      block = XMPBlock(try XMPPacket(packet))
    } catch { throw Failure("\(error)") }
    var values = block.normalizedValues(transform: transform, from: stored, to: shown)
    var notes: [Note] = []
    if isMoved {
      let regions = RegionPlan(
        [block],
        orientation: transform,
        geometry: RegionGeometry(of: stored, transform),
        policy: wholeGeometry == nil ? .keep : options.regions
      )
      values += block.regionValues(regions)
      notes = regions.decisions.compactMap { $0.note }
    }
    let edits = block.edits(values) ?? []
    return Result(bytes: edits.applied(to: packet), changes: edits.changes, notes: notes)
  }

  /// Whether coordinates differ between the stored and the decoded image.
  private var isMoved: Bool { transform != .none || stored != shown }

  /// The geometry of the whole raster, or nil if the decoder shows an unknown part of it.
  private var wholeGeometry: RegionGeometry? {
    let geometry = RegionGeometry(of: stored, transform)
    return geometry.new == shown ? geometry : nil
  }
}
