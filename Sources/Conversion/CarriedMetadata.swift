internal import JPEGCore
internal import TurboTransform
internal import Upright

/// The metadata of an image as the segments of a JPEG file.
struct CarriedMetadata {
  /// The segments; Exif, which must directly follow SOI, is the first.
  private(set) var segments: [[UInt8]] = []
  /// The changes.
  private(set) var changes: [Change] = []
  private(set) var notes: [Note] = []
  /// The new Exif block.
  private(set) var exif: DecodedMetadata.Result?
  /// The XMP segments among ``segments``.
  private(set) var xmp: [[UInt8]] = []
  /// The ICC profile of the source, or one made from its color code points.
  private(set) var profile: [UInt8]?

  /// Updates the metadata of an image to describe its decoded pixels.
  ///
  /// - Throws: ``Converter/Failure`` `refused`.
  init(_ image: DecodedImage, _ options: Options) throws(Converter.Failure) {
    let metadata = DecodedMetadata(
      transform: image.transform,
      stored: image.stored,
      shown: image.pixels.size,
      options: options
    )
    if let block = image.exif { try carryExif(block, metadata) }
    if let packet = image.xmp { carryXMP(packet, metadata) }
    try carryColor(image.color)
  }

  private mutating func carryExif(
    _ block: [UInt8],
    _ metadata: DecodedMetadata
  ) throws(Converter.Failure) {
    do throws(DecodedMetadata.Failure) {
      let result = try metadata.exif(block)
      guard let segment = SegmentBytes.exif(result.bytes) else {
        throw DecodedMetadata.Failure("it does not fit into a JPEG segment (64 KiB)")
      }
      segments.append(segment)
      changes += result.changes
      notes += result.notes
      exif = result
    } catch {
      throw .refused(
        Reason(.exifUnreadable, "the Exif block cannot be copied: \(error.message)")
      )
    }
  }

  private mutating func carryXMP(_ packet: [UInt8], _ metadata: DecodedMetadata) {
    var bytes = packet
    do throws(DecodedMetadata.Failure) {
      let result = try metadata.xmp(packet)
      bytes = result.bytes
      changes += result.changes
      notes += result.notes
    } catch {
      notes.append(
        Note(
          .xmpUnreadable,
          "the XMP packet cannot be read and is copied unchanged: \(error.message)"
        )
      )
    }
    xmp = XMPSegments.bytes(of: bytes)
    segments += xmp
  }

  private mutating func carryColor(_ color: ColorDescription) throws(Converter.Failure) {
    switch color {
    case .unspecified: return
    case .profile(let bytes): profile = bytes
    case .codePoints(let points):
      guard !points.isSRGB else { return }
      guard points.curve != nil else {
        throw .refused(
          Reason(
            .highDynamicRange,
            "the transfer characteristics \(points.transfer) cannot be represented with 8 bits per sample; "
              + "convert the file with a program that does tone mapping"
          )
        )
      }
      guard let made = points.profile else {
        throw .refused(
          Reason(.color, "no ICC profile can be made for the color primaries \(points.primaries)")
        )
      }
      profile = made
      notes.append(
        Note(.profileMade, "the ICC profile was made from the color code points of the file")
      )
    }
    guard let profile else { return }
    guard let chunks = SegmentBytes.iccProfile(profile) else {
      throw .refused(
        Reason(.color, "the ICC profile of \(profile.count) bytes does not fit into a JPEG file")
      )
    }
    segments += chunks
  }
}
