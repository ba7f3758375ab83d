package import ISOBMFF
package import Upright

/// Exif and XMP of a HEIF file's primary image, and what the file contains besides.
package struct HEIFMetadata: Hashable, Sendable {
  /// The Exif block, from its byte order mark.
  package private(set) var exif: [UInt8]?
  /// The XMP packet.
  package private(set) var xmp: [UInt8]?
  /// The metadata that is neither, and other contents of the file besides images.
  package private(set) var losses: [Loss] = []
  /// Whether the file has a gain map for the primary image as a tone-mapped image (`tmap`).
  package private(set) var hasToneMap = false

  /// Reads the items of a file.
  package init(_ file: MediaFile, _ bytes: Span<UInt8>) throws(FormatError) {
    for item in file.directory.metadata { try read(item, file.directory, bytes) }
    hasToneMap = file.directory.items.values.contains { $0.type == "tmap" }
    if file.hasMovie { losses.append(Loss(.sequence, "the image sequence or video in the file")) }
    if file.hasMotionPhoto { losses.append(Loss(.video, "the video of the motion photo")) }
    let trailer = file.directory.unclaimedBytes(in: file.trailer)
    if trailer > 0 {
      losses.append(Loss(.metadata, MediaFile.trailerDescription(trailer, end: bytes)))
    }
    if file.hasContentCredentials(bytes) {
      losses.append(Loss(.contentCredentials, "the content credentials, which name the HEIF file"))
    }
  }

  private mutating func read(
    _ item: Item,
    _ directory: ItemDirectory,
    _ bytes: Span<UInt8>
  ) throws(FormatError) {
    switch item.type {
    case "Exif" where exif == nil:
      let content = try directory.content(of: item, bytes)
      exif = Item.exifRange(in: content).map { Array(content[$0]) }
      if exif == nil { losses.append(Loss(.metadata, "an Exif item without an Exif block")) }
    case "mime" where xmp == nil && item.isXMP:
      xmp = try directory.content(of: item, bytes)
    default:
      let name = item.contentType.isEmpty ? item.type.description : item.contentType
      losses.append(Loss(.metadata, "metadata of type \(name)"))
    }
  }
}

extension UprightError {
  /// The error of a file that is not a HEIF file.
  package static let notHEIFFile = UprightError(
    .notHEIF,
    "not a HEIF file: it does not begin with the ftyp box of an image"
  )
}
