import CExif

/// An Exif block that libexif has parsed, freed with its owner.
///
/// All unsafe code of the module is in this file.
///
/// A block must be read on the thread that created it, before that thread creates another one: the memory limit is
/// counted for each thread.
@safe
package struct LibexifBlock: ~Copyable {
  /// The number of bytes that libexif may allocate for one block.
  ///
  /// Ordinary blocks of up to 64 KiB require a few times their size.
  package static let memoryLimit = 4 << 20

  /// The maximum length of a value's text in bytes, the size of libexif's buffer.
  private static let textLimit = 1024

  private let data: UnsafeMutablePointer<ExifData>

  /// Parses `payload`, which begins with `Exif\0\0`; nil if the memory or `memoryLimit` is exhausted, or if libexif
  /// does not accept the length.
  package init?(_ payload: [UInt8], memoryLimit: Int = Self.memoryLimit) {
    guard let size = UInt32(exactly: payload.count),
      let data = unsafe upright_exif_data_new(memoryLimit)
    else { return nil }
    // Unknown tags are requested, repairs are not. Nothing is logged, because no log is attached.
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

  /// The block's byte order.
  var byteOrder: ExifReference.ByteOrder {
    unsafe exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_INTEL ? .littleEndian : .bigEndian
  }

  /// Returns the entries of all directories, each directory in file order.
  package func tags() -> [ReferenceTag] {
    let contents = unsafe data.pointee.ifd
    return unsafe tags(of: contents.0, in: EXIF_IFD_0, .ifd0)
      + tags(of: contents.1, in: EXIF_IFD_1, .ifd1)
      + tags(of: contents.2, in: EXIF_IFD_EXIF, .exif)
      + tags(of: contents.3, in: EXIF_IFD_GPS, .gps)
      + tags(of: contents.4, in: EXIF_IFD_INTEROPERABILITY, .interoperability)
  }

  /// Returns the entries of the maker note; empty if libexif does not support the maker.
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

  /// Returns the presentable text that `fill` writes into a zeroed buffer; nil if it reports failure.
  private static func text(
    filledBy fill: (UnsafeMutablePointer<CChar>, UInt32) -> Bool
  ) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: textLimit) { buffer in
      unsafe buffer.initialize(repeating: 0)
      guard let start = buffer.baseAddress, unsafe fill(start, UInt32(textLimit)) else {
        return nil
      }
      // The last byte remains the terminator, regardless of what the library writes.
      unsafe buffer[textLimit - 1] = 0
      return unsafe text(start)
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer).presentable
  }
}
