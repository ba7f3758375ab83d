internal import FileBytes
internal import ISOBMFF

/// When and where a photo was taken, of a file that has the directories of Exif and GPS, but not as an Exif block.
struct CaptureFields {
  private typealias Field = (tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])

  private let order: ByteOrder
  private var exif: [Field] = []
  private var gps: [Field] = []

  private enum Tag {
    static let exif: UInt16 = 0x8769
    static let gps: UInt16 = 0x8825
  }

  /// The fields that facts are made of.
  private static let exifTags = [
    ExifTag.dateTimeOriginal, ExifTag.dateTimeDigitized, ExifTag.offsetTimeOriginal,
    ExifTag.offsetTimeDigitized, ExifTag.subjectArea, ExifTag.subjectLocation,
  ]
  private static let gpsTags = [
    ExifTag.gpsLatitudeRef, ExifTag.gpsLatitude, ExifTag.gpsLongitudeRef, ExifTag.gpsLongitude,
    ExifTag.gpsAltitudeRef, ExifTag.gpsAltitude,
  ]
  /// The maximum length of a value, which is more than any of these has.
  private static let maxLength = 256

  init(_ order: ByteOrder) { self.order = order }

  /// Reads the fields in the directories that IFD0 of a TIFF file refers to; none of one that cannot be read.
  init<Failure>(
    _ main: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    order = main.form.order
    exif = try Self.fields(Self.exifTags, main, Tag.exif, &file)
    gps = try Self.fields(Self.gpsTags, main, Tag.gps, &file)
  }

  private static func fields<Failure>(
    _ tags: [UInt16],
    _ main: TIFFDirectory,
    _ pointer: UInt16,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> [Field] {
    do throws(HeaderError<Failure>) {
      guard let place = try main.integers(pointer, &file).first else { return [] }
      let directory = try TIFFDirectory(&file, at: place.length, main.form)
      var fields: [Field] = []
      for tag in tags {
        guard let entry = directory[tag], let value = entry.value, value.count <= maxLength else {
          continue
        }
        fields.append((tag, entry.type, UInt32(entry.count), try file.bytes(value)))
      }
      return fields
    } catch {
      guard case .content = error else { throw error }
      return []
    }
  }

  /// Adds the fields of a TIFF block whose first directory is that of Exif or of GPS, as in CR3 files; the first of each
  /// tag counts.
  mutating func add(_ block: TIFFBlock, _ bytes: Span<UInt8>) {
    guard block.order == order else { return }
    Self.add(&exif, Self.exifTags, block, bytes)
    Self.add(&gps, Self.gpsTags, block, bytes)
  }

  private static func add(
    _ fields: inout [Field],
    _ tags: [UInt16],
    _ block: TIFFBlock,
    _ bytes: Span<UInt8>
  ) {
    for entry in block.entries where entry.directory == .ifd0 && tags.contains(entry.tag) {
      guard let value = entry.value, value.count <= maxLength,
        !fields.contains(where: { $0.tag == entry.tag })
      else { continue }
      fields.append((entry.tag, entry.type, entry.count, bytes.bytes(value)))
    }
  }

  /// The fields as an Exif block; nil if there are none.
  var block: [UInt8]? {
    if exif.isEmpty, gps.isEmpty { return nil }
    let header: [UInt8] = order == .big ? [0x4D, 0x4D] : [0x49, 0x49]
    let start = 8 + 2 + 2 * 12 + 4
    let details = directory(exif, at: start)
    let pointers: [Field] = [
      (Tag.exif, 4, 1, UInt32(start).bytes(order)),
      (Tag.gps, 4, 1, UInt32(start + details.count).bytes(order)),
    ]
    return header + UInt16(42).bytes(order) + UInt32(8).bytes(order) + directory(pointers, at: 8)
      + details + directory(gps, at: start + details.count)
  }

  /// Returns a directory at an offset, with the values after it.
  private func directory(_ fields: [Field], at start: Int) -> [UInt8] {
    var entries = UInt16(fields.count).bytes(order)
    var values: [UInt8] = []
    let end = start + 2 + 12 * fields.count + 4
    for field in fields {
      entries += field.tag.bytes(order) + field.type.bytes(order) + field.count.bytes(order)
      if field.value.count <= 4 {
        entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      } else {
        entries += UInt32(end + values.count).bytes(order)
        values += field.value
      }
    }
    return entries + [0, 0, 0, 0] + values
  }
}
