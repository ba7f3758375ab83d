internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The weighted evidence for and against the Orientation tag of a file (specification, section 6).
///
/// Only tags that swap width and height leave evidence, in metadata that depends on the shape of the image.
struct ConflictEvidence {
  /// The evidence against the tag.
  private var against: [TagEvidence] = []
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
  }

  /// Collects the evidence of a file; none if its tag cannot leave any.
  init(_ header: Header, _ thumbnails: [Thumbnail], _ bytes: Span<UInt8>) {
    guard header.orientation.usable?.transform.transposes == true,
      header.frame.width != header.frame.height
    else { return }
    let size = header.frame.size
    let program = header.exif.compactMap { $0.rewritingProgram(bytes) }.first
    // Only packets that contain a relevant name are parsed.
    let packets = header.xmp(bytes) { XMPBlock.describesShape($0, bytes) }
    weighDimensions(RecordedSize.all(header, packets, bytes), size, isEdited: program != nil)
    weighThumbnails(thumbnails.compactMap { $0.size }, size)
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
    weightAgainst >= Weight.conflict && weightAgainst > weightFor ? against : []
  }

  /// The note if the tag is trusted in spite of evidence against it.
  var note: String? {
    guard conflicts.isEmpty, weightAgainst >= Weight.conflict else { return nil }
    return against.map { $0.text }.joined(separator: "; ")
      + "; the tag is trusted, because " + support.joined(separator: " and ")
  }

  private mutating func add(_ kind: TagEvidence.Kind, _ weight: Int, _ text: String) {
    against.append(TagEvidence(kind, text))
    weightAgainst += weight
  }

  /// Weighs recorded dimensions: the strongest evidence against the tag, and one correct size for it.
  private mutating func weighDimensions(_ sizes: [RecordedSize], _ image: PixelSize, isEdited: Bool)
  {
    let swapped = sizes.filter { $0.size == image.transposed }
    if let first = swapped.first(where: { $0.isPrimary }) ?? swapped.first {
      add(
        .dimensionsSwapped,
        first.isPrimary ? Weight.dimensions : Weight.weak,
        first.text(against: image)
      )
    } else if let first = sizes.first(where: { $0.size.hasOtherShape(than: image) }) {
      add(.dimensionsShape, Weight.weak, first.text(against: image))
    }
    // A program that rewrites images may have corrected the dimensions but not the tag.
    if !isEdited, sizes.contains(where: { $0.size == image }) { weightFor += Weight.weak }
  }

  private mutating func weighThumbnails(_ thumbnails: [PixelSize], _ image: PixelSize) {
    for size in thumbnails {
      let text =
        "the thumbnail is \(size.width)×\(size.height), the image \(image.width)×\(image.height)"
      if size.isInProportion(to: image.transposed), image.shape != nil {
        add(.thumbnailSwapped, Weight.swappedThumbnail, text)
      } else if size.hasOtherShape(than: image) {
        // Sensors are landscape, and so are thumbnails that are padded to another shape.
        let isLandscape = size.shape == .landscape
        add(.thumbnailShape, isLandscape ? Weight.landscapeThumbnail : Weight.weak, text)
      } else if size.shape != nil, size.shape == image.shape {
        weightFor += Weight.matchingThumbnail
        support.append("the thumbnail is stored the same way as the image")
      }
    }
  }

  private mutating func weigh(_ panorama: PanoramaSize, _ image: PixelSize) {
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

extension PixelSize {
  /// The shape of a size that is clearly not square.
  enum Shape { case landscape, portrait }

  /// The shape, or nil if the size is nearly square.
  var shape: Shape? {
    guard width > 0, height > 0 else { return nil }
    let ratio = Double(width) / Double(height)
    guard abs(ratio * ratio - 1) > 0.1 else { return nil }
    return ratio > 1 ? .landscape : .portrait
  }

  /// The size with width and height swapped.
  var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// Returns whether both have the same aspect ratio to within 3 %.
  func isInProportion(to other: PixelSize) -> Bool {
    guard width > 0, height > 0, other.width > 0, other.height > 0 else { return false }
    let ratio = Double(width) / Double(height)
    return abs(ratio * Double(other.height) / Double(other.width) - 1) < 0.03
  }

  /// Returns whether one is landscape and the other portrait.
  func hasOtherShape(than other: PixelSize) -> Bool {
    guard let shape, let otherShape = other.shape else { return false }
    return shape != otherShape
  }
}
