package import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Metadata of an image that a decoder has transformed already, brought into step with what the decoder gives.
///
/// HEIF transforms the raster itself and takes Exif's Orientation for information only (ISO/IEC 23008-12, A.2.1); so
/// the metadata follow, and the raster is not transformed again.
package struct DecodedMetadata: Sendable {
  /// How the decoder transforms the stored raster.
  package var transform: OrientationTransform
  /// The stored size, which the metadata may describe.
  package var stored: PixelSize
  /// The size that the decoder gives.
  package var shown: PixelSize
  /// What happens to regions and resolutions.
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

  /// Metadata as they go into the new file.
  package struct Result: Sendable {
    /// An Exif block, from its byte order mark, or an XMP packet.
    package var bytes: [UInt8]
    /// What differs from the source; the ranges are positions in its block or packet.
    package var changes: [Change]
    /// What people should know besides.
    package var notes: [String] = []
  }

  /// Why metadata cannot go into the new file.
  package struct Failure: Error, Hashable, Sendable {
    /// What is wrong, in words.
    package var message: String

    package init(_ message: String) { self.message = message }
  }

  /// The Exif block with Orientation 1 and the new dimensions, its thumbnail transformed.
  ///
  /// - Parameter block: A TIFF file, as Exif is one.
  /// - Returns: The new block; every byte outside of the changes is the same.
  /// - Throws: ``Failure``, where the block cannot be read or does not fit into a segment.
  package func exif(_ block: [UInt8]) throws(Failure) -> Result {
    guard let segment = SegmentBytes.exif(block) else {
      throw Failure("its \(block.count) bytes do not fit into a JPEG segment (64 KiB)")
    }
    let start = segment.count - block.count
    guard let tiff = TIFFBlock(segment.span, in: start..<segment.count) else {
      throw Failure("it has no TIFF header")
    }
    guard tiff.hasWholeIFD0 else {
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
      if let geometry {
        edits += tiff.subjectEdits(geometry, segment.span)
      } else {
        for (tag, name) in [
          (ExifTag.subjectArea, "SubjectArea"), (ExifTag.subjectLocation, "SubjectLocation"),
        ] where !tiff.entries(.exif, tag).isEmpty {
          notes.append("\(name) is kept and describes the image as it was stored")
        }
      }
    }
    let (thumbnailEdits, thumbnailNotes) = thumbnail(tiff, segment)
    edits += thumbnailEdits
    guard edits.areDisjoint else {
      throw Failure("two fields that must change share the same bytes")
    }
    let result = edits.applied(to: segment)
    let changes = edits.inOrder.filter { $0.range.lowerBound >= start }.map { edit in
      var change = Change(edit)
      change.range = change.range.lowerBound - start..<change.range.upperBound - start
      return change
    }
    return Result(
      bytes: Array(result[start...]),
      changes: changes,
      notes: notes + thumbnailNotes
    )
  }

  /// What is to say of an Orientation that asks for another transform than the decoder's.
  private func orientationNotes(_ tiff: TIFFBlock, _ bytes: Span<UInt8>) -> [String] {
    guard let value = tiff.integer(.ifd0, ExifTag.orientation, bytes), value != 1,
      Orientation(rawValue: value)?.transform != transform
    else { return [] }
    return [
      "Exif's Orientation \(value) was ignored, as the HEIF standard requires; the image is shown "
        + "as the HEIF file shows it"
    ]
  }

  /// The edits that transform the thumbnail of IFD1.
  private func thumbnail(_ tiff: TIFFBlock, _ segment: [UInt8]) -> ([Edit], notes: [String]) {
    guard transform != .none, let thumbnail = Thumbnail(tiff, segment.span) else { return ([], []) }
    let isUpright =
      transform.transposes && thumbnail.size?.isSideways(against: stored) == true
    let place = 0..<segment.count
    let result = ThumbnailRewriter(
      thumbnail: thumbnail,
      transform: isUpright ? .none : transform,
      segment: Segment(marker: .app(1), range: place, payload: 4..<segment.count),
      options: options
    ).rewrite(segment)
    return (result.edits, result.note.map { [$0] } ?? [])
  }

  /// The XMP packet with Orientation 1 and the new dimensions.
  ///
  /// - Parameter packet: The packet, with its wrapper or without.
  /// - Returns: The new packet.
  /// - Throws: ``Failure``, where it cannot be read.
  package func xmp(_ packet: [UInt8]) throws(Failure) -> Result {
    let block: XMPBlock
    do throws(XMPError) {
      block = try XMPBlock(sidecar: packet)
    } catch { throw Failure("\(error)") }
    var values = block.normalizedValues(transform: transform, from: stored, to: shown)
    var notes: [String] = []
    if isMoved {
      if let geometry { values += block.regionValues(geometry) }
      notes = block.regionNotes(follow: geometry != nil)
    }
    let edits = block.edits(values) ?? []
    return Result(bytes: edits.applied(to: packet), changes: edits.map(Change.init), notes: notes)
  }

  /// Whether a place in the stored raster is another in the shown one.
  private var isMoved: Bool { transform != .none || stored != shown }

  /// Where regions come to lie, if they are to follow; nil also where a part of the raster is shown, for which one
  /// is not known.
  private var geometry: RegionGeometry? {
    let whole = transform.size(width: stored.width, height: stored.height)
    guard options.regions == .follow, whole == (shown.width, shown.height) else { return nil }
    return RegionGeometry(
      transform: transform,
      old: stored,
      window: PixelRectangle(x: 0, y: 0, width: stored.width, height: stored.height),
      clips: false
    )
  }
}
