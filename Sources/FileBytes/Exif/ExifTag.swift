/// The Exif tags that a rewrite reads or changes.
package enum ExifTag {
  package static let imageWidth: UInt16 = 0x0100
  package static let imageLength: UInt16 = 0x0101
  package static let make: UInt16 = 0x010F
  package static let model: UInt16 = 0x0110
  package static let orientation: UInt16 = 0x0112
  package static let software: UInt16 = 0x0131
  package static let compression: UInt16 = 0x0103
  package static let bitsPerSample: UInt16 = 0x0102
  package static let photometricInterpretation: UInt16 = 0x0106
  package static let stripOffsets: UInt16 = 0x0111
  package static let samplesPerPixel: UInt16 = 0x0115
  package static let rowsPerStrip: UInt16 = 0x0116
  package static let stripByteCounts: UInt16 = 0x0117
  package static let planarConfiguration: UInt16 = 0x011C
  package static let xResolution: UInt16 = 0x011A
  package static let yResolution: UInt16 = 0x011B
  package static let resolutionUnit: UInt16 = 0x0128
  package static let thumbnailOffset: UInt16 = 0x0201
  package static let thumbnailLength: UInt16 = 0x0202
  package static let pixelXDimension: UInt16 = 0xA002
  package static let pixelYDimension: UInt16 = 0xA003
  package static let relatedImageWidth: UInt16 = 0x1001
  package static let relatedImageHeight: UInt16 = 0x1002
  package static let focalPlaneXResolution: UInt16 = 0xA20E
  package static let focalPlaneYResolution: UInt16 = 0xA20F
  package static let dateTimeOriginal: UInt16 = 0x9003
  package static let dateTimeDigitized: UInt16 = 0x9004
  package static let offsetTimeOriginal: UInt16 = 0x9011
  package static let offsetTimeDigitized: UInt16 = 0x9012
  package static let gpsLatitudeRef: UInt16 = 0x0001
  package static let gpsLatitude: UInt16 = 0x0002
  package static let gpsLongitudeRef: UInt16 = 0x0003
  package static let gpsLongitude: UInt16 = 0x0004
  package static let gpsAltitudeRef: UInt16 = 0x0005
  package static let gpsAltitude: UInt16 = 0x0006
  package static let makerNote: UInt16 = 0x927C
  /// An XMP packet, as in TIFF files.
  package static let xmp: UInt16 = 0x02BC
  /// IPTC, as in TIFF files.
  package static let iptc: UInt16 = 0x83BB
  /// Photoshop's image resources, as in TIFF files.
  package static let imageResources: UInt16 = 0x8649
  package static let subjectArea: UInt16 = 0x9214
  package static let subjectLocation: UInt16 = 0xA214
}

extension ExifTag {
  /// Returns the name of a tag in the fields of edits and differences; its number if it is none of these.
  package static func name(_ tag: UInt16) -> String {
    switch tag {
    case orientation: "orientation"
    case pixelXDimension: "pixel-x-dimension"
    case pixelYDimension: "pixel-y-dimension"
    case imageWidth: "image-width"
    case imageLength: "image-length"
    case rowsPerStrip: "rows-per-strip"
    case stripByteCounts: "strip-byte-counts"
    case relatedImageWidth: "related-image-width"
    case relatedImageHeight: "related-image-height"
    case thumbnailOffset: "thumbnail-offset"
    case thumbnailLength: "thumbnail-length"
    case xResolution: "x-resolution"
    case yResolution: "y-resolution"
    case focalPlaneXResolution: "x-focal-plane-resolution"
    case focalPlaneYResolution: "y-focal-plane-resolution"
    case subjectArea: "subject-area"
    case subjectLocation: "subject-location"
    default: number(tag)
    }
  }

  /// Returns the number of a tag as hexadecimal text.
  package static func number(_ tag: UInt16) -> String { "0x" + tag.hexadecimal(uppercase: true) }
}

extension TIFFBlock.Entry {
  /// The identifier of the field in edits and differences.
  package var field: String { "exif.\(directory.rawValue).\(ExifTag.name(tag))" }
}
