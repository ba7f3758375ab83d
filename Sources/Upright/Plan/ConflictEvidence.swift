internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The weighted evidence for and against the Orientation tag of a file (specification, section 6).
///
/// Tags that swap width and height leave evidence in metadata that depends on the shape of the image. Of others, only
/// the content of a thumbnail shows whether they are right (``ThumbnailContent``).
struct ConflictEvidence {
  private(set) var against: [TagEvidence] = []
  /// The evidence for the tag that can outweigh the rest, as text.
  private var support: [String] = []
  private var weightAgainst = 0
  private var weightFor = 0

  /// The weights of the evidence; a tag is suspect from ``conflict`` on.
  private enum Weight {
    static let weak = 1
    static let conflict = 2
    static let dimensions = 2
    static let landscapeThumbnail = 2
    static let matchingThumbnail = 3
    static let swappedThumbnail = 4
    static let panorama = 5
    static let xmpOnly = 2
    static let repeatedIdentifier = 2
  }

  /// Collects the evidence of a file; none if its tag cannot leave any.
  init(_ photo: inout JPEGPhoto) {
    guard let orientation = photo.header.orientation.stated, orientation != .up else { return }
    let header = photo.header
    let file = photo.bytes
    let bytes = file.span
    let value = orientation.rawValue
    if !header.hasExifOrientation(bytes) {
      add(
        .xmpOnly,
        Weight.xmpOnly,
        "only XMP gives an Orientation (\(value)), which browsers and iOS ignore"
      )
    } else if header.hidesExifOrientation(bytes) {
      add(
        .repeatedIdentifier,
        Weight.repeatedIdentifier,
        "the identifier of Exif is there twice, so most programs do not find its Orientation (\(value))"
      )
    }
    guard orientation.transform.transposes, header.frame.width != header.frame.height else {
      return
    }
    let size = header.frame.size
    let program = header.exif.compactMap { $0.rewritingProgram(bytes) }.first
    // Programs write Make alone, as a name of their own.
    let isCamera = header.exif.contains {
      $0.text(.ifd0, ExifTag.make, bytes) != nil && $0.text(.ifd0, ExifTag.model, bytes) != nil
    }
    let isPortrait = isCamera && size.shape == .portrait
    if isPortrait { weighPortrait(header, bytes) }
    // Only packets that contain a relevant name are parsed.
    let packets = photo.xmp { XMPBlock.describesShape($0, bytes) }
    weighDimensions(RecordedSize.all(header, packets, bytes), size, isEdited: program != nil)
    weighThumbnails(photo.thumbnails.compactMap { $0.size }, size, isPortrait: isPortrait)
    for panorama in packets.compactMap({ $0.panorama }) { weigh(panorama, size) }
    if let program, !against.isEmpty {
      add(
        .software,
        Weight.weak,
        "Exif names \(program) as Software, a program that rewrites images"
      )
    }
  }

  /// The evidence of a stale tag; empty if there is none, or more evidence for the tag.
  var conflicts: [TagEvidence] {
    // A program that exports an image of a camera writes JFIF, too, whatever shape it has.
    let isExport = against.map { $0.kind } == [.storedPortrait, .jfifFirst]
    return weightAgainst >= Weight.conflict && weightAgainst > weightFor && !isExport ? against : []
  }

  var note: Note? {
    guard !against.isEmpty else { return nil }
    var grounds = support
    if !conflicts.isEmpty { grounds = ["that was requested"] }
    if grounds.isEmpty { grounds = ["nothing else contradicts it"] }
    let evidence = against.map { $0.text }.joined(separator: "; ")
    let ground = grounds.joined(separator: " and ")
    return Note(.tagTrusted, "\(evidence); the tag is trusted, because \(ground)")
  }

  private mutating func add(_ kind: TagEvidence.Kind, _ weight: Int, _ text: String) {
    against.append(TagEvidence(kind, text))
    weightAgainst += weight
  }

  /// Weighs recorded dimensions: the strongest evidence against the tag, and one correct size for it.
  private mutating func weighDimensions(_ sizes: [RecordedSize], _ image: PixelSize, isEdited: Bool)
  {
    let shown = StatedSize(image)
    let swapped = sizes.filter { $0.size == shown.transposed }
    if let first = swapped.first(where: { $0.isPrimary }) ?? swapped.first {
      add(
        .dimensionsSwapped,
        first.isPrimary ? Weight.dimensions : Weight.weak,
        first.text(against: image)
      )
    } else if let first = sizes.first(where: { $0.size.hasOtherShape(than: shown) }) {
      add(.dimensionsShape, Weight.weak, first.text(against: image))
    }
    // A program that rewrites images may have corrected the dimensions but not the tag.
    if !isEdited, sizes.contains(where: { $0.size == shown }) { weightFor += Weight.weak }
  }

  /// Weighs what a program that rotated a camera's image left in it.
  ///
  /// Cameras store images in landscape format, and DCF requires thumbnails of 160×120. A portrait image needs little
  /// more to be suspected.
  private mutating func weighPortrait(_ header: Header, _ bytes: Span<UInt8>) {
    let size = header.frame.size
    add(
      .storedPortrait,
      Weight.weak,
      "the image is stored in portrait format (\(size.width)×\(size.height)), cameras store landscape"
    )
    let jfif = header.container.segments(.jfif, in: bytes).first
    let exif = header.container.segments(.exif, in: bytes).first
    if let jfif, let exif, jfif.range.lowerBound < exif.range.lowerBound {
      add(.jfifFirst, Weight.weak, "JFIF precedes Exif, so a program rewrote the camera's file")
    }
    if header.frame.sampling == "4:4:0" {
      add(.sampling, Weight.weak, "the chroma subsampling is 4:4:0, that of a rotated 4:2:2 image")
    }
  }

  private mutating func weighThumbnails(
    _ thumbnails: [PixelSize],
    _ image: PixelSize,
    isPortrait: Bool
  ) {
    for size in thumbnails {
      let text =
        "the thumbnail is \(size.width)×\(size.height), the image \(image.width)×\(image.height)"
      if size.isInProportion(to: image.transposed), image.shape != nil {
        add(.thumbnailSwapped, Weight.swappedThumbnail, text)
      } else if size.hasOtherShape(than: image) {
        // Sensors are landscape, and so are thumbnails that are padded to another shape.
        let isLandscape = size.shape == .landscape
        add(.thumbnailShape, isLandscape ? Weight.landscapeThumbnail : Weight.weak, text)
      } else if isPortrait, size.shape == .portrait {
        // A program that rotates an image can rotate its thumbnail, too.
        add(.thumbnailPortrait, Weight.weak, "the thumbnail is in portrait format, too")
      } else if size.shape != nil, size.shape == image.shape {
        weightFor += Weight.matchingThumbnail
        support.append("the thumbnail is stored the same way as the image")
      }
    }
  }

  private mutating func weigh(_ panorama: PanoramaSize, _ image: PixelSize) {
    let image = StatedSize(image)
    guard image.shape != nil else { return }
    if panorama.cropped.isInProportion(to: image), panorama.full.shape == image.shape {
      let (cropped, full) = (panorama.cropped, panorama.full)
      add(
        .panorama,
        Weight.panorama,
        "XMP describes a panorama of \(cropped.width)×\(cropped.height) pixels"
          + " (full: \(full.width)×\(full.height)), the image is \(image.width)×\(image.height)"
      )
    } else if panorama.cropped.isInProportion(to: image.transposed) {
      weightFor += Weight.panorama
      support.append("XMP describes a panorama of the rotated image's proportions")
    }
  }
}
