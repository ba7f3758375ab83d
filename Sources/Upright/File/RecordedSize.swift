internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Dimensions that a file gives: any number, also where Int has 32 bits.
typealias StatedSize = ImageSize<Int64>

extension StatedSize {
  init(_ size: PixelSize) {
    self.init(width: Int64(size.width), height: Int64(size.height))
  }
}

/// The dimensions of an image as metadata records them.
struct RecordedSize {
  let size: StatedSize
  let source: String
  /// Whether the source is Exif's PixelXDimension and PixelYDimension, which every camera writes.
  var isPrimary = false

  /// Returns the dimensions in the Exif blocks, their MakerNotes, and XMP packets.
  static func all(_ header: Header, _ packets: [XMPBlock], _ bytes: Span<UInt8>) -> [RecordedSize] {
    let exif = header.exif.flatMap { block in
      [
        (TIFFBlock.Kind.exif, ExifTag.pixelXDimension, ExifTag.pixelYDimension),
        (.ifd0, ExifTag.imageWidth, ExifTag.imageLength),
        (.interoperability, ExifTag.relatedImageWidth, ExifTag.relatedImageHeight),
      ].compactMap { directory, width, height -> RecordedSize? in
        guard let width = block.integer(directory, width, bytes),
          let height = block.integer(directory, height, bytes)
        else { return nil }
        let isPrimary = directory == .exif
        // The dimensions at which browsers show the image may have another shape than it.
        if isPrimary, block.density(of: header.frame.size, bytes)?.differs == true { return nil }
        return RecordedSize(
          size: StatedSize(width: width, height: height),
          source: isPrimary ? "Exif" : "Exif's \(directory.name)",
          isPrimary: isPrimary
        )
      }
    }
    let notes = header.exif.compactMap { $0.makerNoteSize(bytes) }.map {
      RecordedSize(size: $0, source: "the MakerNote")
    }
    let xmp = packets.flatMap { block in
      [
        (XMPNamespace.exif, "PixelXDimension", "PixelYDimension"),
        (XMPNamespace.tiff, "ImageWidth", "ImageLength"),
      ].compactMap { namespace, width, height in
        block.size(namespace, width, height).map { RecordedSize(size: $0, source: "XMP") }
      }
    }
    return exif + notes + xmp
  }

  func text(against image: PixelSize) -> String {
    "\(source) gives \(size.width)×\(size.height) pixels, the image is \(image.width)×\(image.height)"
  }
}

/// The size of a panorama in Photo Sphere XMP (GPano).
struct PanoramaSize {
  /// The part of the panorama that the image shows.
  let cropped: StatedSize
  let full: StatedSize

  /// Whether the image shows all directions: an equirectangular panorama is twice as wide as high.
  var isWholeSphere: Bool {
    cropped == full && full.width.isMultiple(of: 2) && full.width / 2 == full.height
  }
}

extension XMPBlock {
  /// Returns whether the packet of an XMP segment may record the dimensions of the image or of a panorama.
  static func describesShape(_ segment: Segment, _ bytes: Span<UInt8>) -> Bool {
    has(["PixelXDimension", "ImageWidth", "CroppedAreaImage"], segment, bytes)
  }

  /// Returns a width and a height of the image, or nil if one is missing or not a number.
  func size(_ namespace: String, _ width: String, _ height: String) -> StatedSize? {
    guard let width = own(namespace, width).first.flatMap({ Self.whole($0.value) }),
      let height = own(namespace, height).first.flatMap({ Self.whole($0.value) })
    else { return nil }
    return StatedSize(width: width, height: height)
  }

  var panorama: PanoramaSize? {
    let namespace = XMPNamespace.panorama
    guard
      let cropped = size(namespace, "CroppedAreaImageWidthPixels", "CroppedAreaImageHeightPixels"),
      let full = size(namespace, "FullPanoWidthPixels", "FullPanoHeightPixels")
    else { return nil }
    return PanoramaSize(cropped: cropped, full: full)
  }
}

extension TIFFBlock {
  /// Returns the program in Software if it is known to rewrite images.
  ///
  /// Cameras give their firmware in this tag.
  func rewritingProgram(_ bytes: Span<UInt8>) -> String? {
    guard let software = text(.ifd0, ExifTag.software, bytes) else { return nil }
    return Self.rewritingPrograms.first { software.contains(text: $0) }
  }

  private static let rewritingPrograms = [
    "ACD Systems", "ACDSee", "Corel", "GIMP", "ImageMagick", "IrfanView", "Paint Shop", "Paint.NET",
    "PhotoScape", "Photoshop", "Picasa", "Picture Manager", "Ulead", "Windows Photo", "XnView",
  ]
}

extension ImageSize where Scalar: BinaryInteger {
  enum Shape { case landscape, portrait }

  /// The shape, or nil if the size is nearly square.
  var shape: Shape? {
    guard width > 0, height > 0 else { return nil }
    let ratio = Double(width) / Double(height)
    guard abs(ratio * ratio - 1) > 0.1 else { return nil }
    return ratio > 1 ? .landscape : .portrait
  }

  var transposed: Self { Self(width: height, height: width) }

  func transformed(by transform: OrientationTransform) -> Self {
    transform.transposes ? transposed : self
  }

  /// Returns whether both have the same aspect ratio to within 3 %.
  func isInProportion(to other: Self) -> Bool {
    guard width > 0, height > 0, other.width > 0, other.height > 0 else { return false }
    let ratio = Double(width) / Double(height)
    return abs(ratio * Double(other.height) / Double(other.width) - 1) < 0.03
  }

  func hasOtherShape(than other: Self) -> Bool {
    guard let shape, let otherShape = other.shape else { return false }
    return shape != otherShape
  }
}
