import CExif

/// An Exif block in libexif's hands, freed with its owner; all unsafe code of the module is here.
///
/// Reading happens on the thread that made the block and ends before that thread makes another:
/// the bound on memory is kept per thread.
@safe
package struct LibexifBlock: ~Copyable {
  /// Bytes libexif may allocate for one block; ordinary blocks, at most 64 KiB, need a few times
  /// their size.
  package static let memoryLimit = 4 << 20

  /// Bytes of text kept of one value, as libexif bounds it by a buffer.
  private static let textLimit = 1024

  private let data: UnsafeMutablePointer<ExifData>

  /// Loads `payload`, which begins with `Exif\0\0`; nil when memory or `memoryLimit` is exhausted
  /// or libexif cannot take that many bytes.
  package init?(_ payload: [UInt8], memoryLimit: Int = Self.memoryLimit) {
    guard let size = UInt32(exactly: payload.count),
      let data = unsafe upright_exif_data_new(memoryLimit)
    else { return nil }
    // libexif keeps unknown tags and does not repair values. Nothing is logged, as no log is attached.
    unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    unsafe exif_data_set_option(data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE)
    unsafe payload.withUnsafeBufferPointer { bytes in
      unsafe exif_data_load_data(data, bytes.baseAddress, size)
    }
    guard !upright_exif_exceeded() else {
      unsafe exif_data_unref(data)
      return nil
    }
    unsafe self.data = data
  }

  deinit { unsafe exif_data_unref(data) }

  /// The byte order the block declares.
  var byteOrder: ExifReference.ByteOrder {
    unsafe exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_INTEL ? .littleEndian : .bigEndian
  }

  /// The entries of all directories, each directory in file order.
  package func tags() -> [ReferenceTag] {
    let contents = unsafe data.pointee.ifd
    return unsafe tags(of: contents.0, in: EXIF_IFD_0, .ifd0)
      + tags(of: contents.1, in: EXIF_IFD_1, .ifd1)
      + tags(of: contents.2, in: EXIF_IFD_EXIF, .exif)
      + tags(of: contents.3, in: EXIF_IFD_GPS, .gps)
      + tags(of: contents.4, in: EXIF_IFD_INTEROPERABILITY, .interoperability)
  }

  /// What libexif makes of the maker note; empty when it does not know the maker.
  package func makerNote() -> [MakerNoteEntry] {
    guard let note = unsafe exif_data_get_mnote_data(data) else { return [] }
    var entries: [MakerNoteEntry] = []
    for index in 0..<(unsafe exif_mnote_data_count(note)) {
      let value = unsafe Self.text { buffer, size in
        unsafe exif_mnote_data_get_value(note, index, buffer, size) != nil
      }
      let name = unsafe Self.text(exif_mnote_data_get_name(note, index))
      let title = unsafe Self.text(exif_mnote_data_get_title(note, index))
      let number = unsafe exif_mnote_data_get_id(note, index)
      entries.append(
        MakerNoteEntry(
          name: name ?? ReferenceTag.unknownName(UInt16(truncatingIfNeeded: number)),
          title: title ?? "",
          value: value ?? ""
        )
      )
    }
    return entries
  }

  private func tags(
    of content: UnsafeMutablePointer<ExifContent>?,
    in ifd: ExifIfd,
    _ directory: ReferenceTag.Directory
  ) -> [ReferenceTag] {
    guard let content = unsafe content?.pointee, let entries = unsafe content.entries else {
      return []
    }
    var tags: [ReferenceTag] = []
    for index in 0..<(unsafe Int(content.count)) {
      guard let pointer = unsafe entries[index] else { continue }
      let entry = unsafe pointer.pointee
      let number = unsafe UInt16(truncatingIfNeeded: entry.tag.rawValue)
      let bytes = unsafe UnsafeBufferPointer(start: entry.data, count: Int(entry.size))
      let text = unsafe Self.text { buffer, size in
        unsafe exif_entry_get_value(pointer, buffer, size) != nil
      }
      let tag = unsafe ReferenceTag(
        directory: directory,
        tag: number,
        name: Self.text(exif_tag_get_name_in_ifd(entry.tag, ifd))
          ?? ReferenceTag.unknownName(number),
        format: UInt16(truncatingIfNeeded: entry.format.rawValue),
        components: Int(clamping: entry.components),
        bytes: Array(bytes),
        text: text ?? ""
      )
      tags.append(tag)
    }
    return tags
  }

  /// The text `fill` leaves in a zeroed buffer, made fit to show; nil when it reports failure.
  private static func text(
    filledBy fill: (UnsafeMutablePointer<CChar>, UInt32) -> Bool
  ) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: textLimit) { buffer in
      unsafe buffer.initialize(repeating: 0)
      guard let start = buffer.baseAddress, unsafe fill(start, UInt32(textLimit)) else {
        return nil
      }
      // The last byte stays the terminator whatever the library did with the others.
      unsafe buffer[textLimit - 1] = 0
      return unsafe text(start)
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer).presentable
  }
}
