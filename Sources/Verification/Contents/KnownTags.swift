/// The tags of directories that have a public meaning: none of their values has positions in the image besides those
/// that are compared by value (dimensions, SubjectArea, SubjectLocation, thumbnails).
///
/// TIFF 6.0, TIFF/EP, Exif 3.0, DNG 1.7, and the tags of Windows, PRINT Image Matching and other programs that are documented.
/// GeoTIFF's tags are not among them, because they locate pixels.
enum KnownTags {
  /// Exif, GPS, Interoperability and SubIFDs.
  static let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005, 0x14A]

  /// Returns whether the meaning of a tag is known in a directory that a tag points to, or in a page.
  static func contains(_ tag: UInt16, in pointer: UInt16?) -> Bool {
    switch pointer {
    case 0x8825: tag <= 0x20
    case 0xA005: tag <= 2 || (0x1000...0x1002).contains(tag)
    default: ranges.contains { $0.contains(tag) }
    }
  }

  private static let ranges: [ClosedRange<UInt16>] = [
    // TIFF 6.0 and its supplements, with the thumbnail of Exif.
    0x00FE...0x015B, 0x015F...0x015F, 0x0190...0x0193, 0x01B1...0x01B5, 0x0200...0x0214,
    0x022F...0x022F, 0x02BC...0x02BC,
    // Of Windows: gamma, title of the profile, dimensions of Exif, rating, units of pixels, quantization.
    0x0301...0x0303, 0x0320...0x0320, 0x1000...0x1002, 0x4746...0x4746, 0x4749...0x4749,
    0x5090...0x5091, 0x5110...0x5113, 0x9C9B...0x9C9F, 0xEA1C...0xEA1D,
    // TIFF/EP, and the identifiers of IPTC, Photoshop, ICC.
    0x800D...0x800D, 0x828D...0x828F, 0x8298...0x8298, 0x829A...0x829D, 0x83BB...0x83BB,
    0x8649...0x8649, 0x8769...0x8769, 0x8773...0x8773, 0x8822...0x8835,
    // Exif 3.0.
    0x9000...0x9012, 0x9101...0x9102, 0x9201...0x9217, 0x927C...0x927C, 0x9286...0x9292,
    0x9400...0x9406, 0xA000...0xA005, 0xA20B...0xA217, 0xA300...0xA302, 0xA401...0xA43C,
    0xA460...0xA462, 0xA480...0xA481, 0xA500...0xA500,
    // PRINT Image Matching, and DNG, whose positions count on the sensor.
    0xC4A5...0xC4A5, 0xC612...0xC7FF, 0xCD2D...0xCD4F,
    // Of Camera Raw: owner, serial number, settings as text.
    0xFDE8...0xFDEA, 0xFE4C...0xFE58,
  ]
}
