#if canImport(CExif)
internal import ExifReference
internal import FileBytes
internal import JPEGCore

/// Compares the tags that libexif, a second reader of Exif, finds in two files.
///
/// A reader that differs from that of the rewriter and of the comparison also finds what both of them misread, such as a
/// tag whose value shares bytes with a value that was changed.
struct TagComparison {
  private let old: ExifReference?
  private let new: ExifReference?

  /// Reads the first Exif segments of two JPEG files.
  init(_ files: ComparedFiles) {
    func tags(_ bytes: [UInt8]) -> ExifReference? {
      guard let container = try? Container(bytes.span, extent: .header),
        let segment = container.segments(.exif, in: bytes.span).first
      else { return nil }
      return ExifReference(app1Payload: Array(bytes[segment.payload]))
    }
    (old, new) = (tags(files.original), tags(files.result))
  }

  /// Reads two Exif blocks, or two TIFF files.
  init(_ files: ComparedFiles, _ original: Range<Int>, _ result: Range<Int>) {
    func tags(_ bytes: [UInt8], _ range: Range<Int>) -> ExifReference? {
      ExifReference(app1Payload: Array("Exif\0\0".utf8) + bytes[range.prefix(Self.maxLength)])
    }
    (old, new) = (tags(files.original, original), tags(files.result, result))
  }

  /// The maximum number of bytes that libexif reads.
  private static let maxLength = 0xFFF8

  /// Returns a finding on tags that differ and do not belong to fields that may.
  ///
  /// libexif also reads some of the directories to which wrong pointers lead: `unread` ones have no tags.
  func differences(
    besides fields: Set<String>,
    unread: Set<TIFFBlock.Kind> = []
  ) -> [Observation] {
    guard let old else { return [] }
    guard let new else {
      let text = "libexif reads \(old.tags.count) tags in the original, none in the result"
      return [.finding(.libexifTags, text)]
    }
    var names: [String] = []
    let allowed = Set(fields.compactMap { Self.tags[$0] })
    var seen: Set<[Value]> = []
    let left = Set(unread.map { Self.directory($0) })
    for directory in ReferenceTag.Directory.allCases where !left.contains(directory) {
      // Damaged pointers can make libexif read a directory again under another name.
      let mine = old.tags.filter { $0.directory == directory }
      guard seen.insert(mine.map(Value.init)).inserted else { continue }
      for tag in mine where !allowed.contains(Tag(directory, tag.tag)) {
        guard let other = new.tag(tag.tag, in: directory) else {
          names.append("\(directory.rawValue) \(tag.name) is missing")
          continue
        }
        if tag.bytes != other.bytes, old.byteOrder == new.byteOrder || tag.text != other.text {
          names.append("\(directory.rawValue) \(tag.name) has another value")
        }
      }
    }
    if old.makerNote != new.makerNote { names.append("the MakerNote differs") }
    guard !names.isEmpty else { return [] }
    let text =
      "libexif reads different tags: " + names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
    return [.finding(.libexifTags, text)]
  }

  private static func directory(_ kind: TIFFBlock.Kind) -> ReferenceTag.Directory {
    switch kind {
    case .ifd0: .ifd0
    case .ifd1: .ifd1
    case .exif: .exif
    case .gps: .gps
    case .interoperability: .interoperability
    }
  }

  private struct Tag: Hashable {
    var directory: ReferenceTag.Directory
    var number: UInt16

    init(_ directory: ReferenceTag.Directory, _ number: UInt16) {
      (self.directory, self.number) = (directory, number)
    }
  }

  /// A tag independent of its directory.
  private struct Value: Hashable {
    var tag: UInt16
    var bytes: [UInt8]

    init(_ tag: ReferenceTag) { (self.tag, bytes) = (tag.tag, tag.bytes) }
  }

  /// The tags of the fields that a transform may change.
  private static let tags: [String: Tag] = [
    "exif.ifd0.orientation": Tag(.ifd0, ExifTag.orientation),
    "exif.ifd0.0x02BC": Tag(.ifd0, ExifTag.xmp),
    "exif.ifd0.0x8649": Tag(.ifd0, ExifTag.imageResources),
    "exif.ifd0.0x83BB": Tag(.ifd0, ExifTag.iptc),
    "exif.ifd0.image-width": Tag(.ifd0, ExifTag.imageWidth),
    "exif.ifd0.image-length": Tag(.ifd0, ExifTag.imageLength),
    "exif.ifd0.x-resolution": Tag(.ifd0, ExifTag.xResolution),
    "exif.ifd0.y-resolution": Tag(.ifd0, ExifTag.yResolution),
    "exif.exif.pixel-x-dimension": Tag(.exif, ExifTag.pixelXDimension),
    "exif.exif.pixel-y-dimension": Tag(.exif, ExifTag.pixelYDimension),
    "exif.exif.x-focal-plane-resolution": Tag(.exif, ExifTag.focalPlaneXResolution),
    "exif.exif.y-focal-plane-resolution": Tag(.exif, ExifTag.focalPlaneYResolution),
    "exif.exif.subject-area": Tag(.exif, ExifTag.subjectArea),
    "exif.exif.subject-location": Tag(.exif, ExifTag.subjectLocation),
    "exif.interoperability.related-image-width": Tag(.interoperability, ExifTag.relatedImageWidth),
    "exif.interoperability.related-image-height": Tag(
      .interoperability,
      ExifTag.relatedImageHeight
    ),
    "exif.ifd1.orientation": Tag(.ifd1, ExifTag.orientation),
    "exif.ifd1.image-width": Tag(.ifd1, ExifTag.imageWidth),
    "exif.ifd1.image-length": Tag(.ifd1, ExifTag.imageLength),
    "exif.ifd1.rows-per-strip": Tag(.ifd1, ExifTag.rowsPerStrip),
    // The second page of a TIFF file.
    "exif.page-2.orientation": Tag(.ifd1, ExifTag.orientation),
  ]
}
#endif
