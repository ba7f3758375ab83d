package import FileBytes
internal import ISOBMFF
package import ImageOrientation

/// A directory of a TIFF file, in which Orientation can be changed in place (TIFF 6.0, section 2).
package struct TIFFDirectory: Sendable {
  struct Entry: Sendable {
    var tag: UInt16
    var type: UInt16
    var count: Int
    /// The offset of the entry in the directory.
    var place: Int
    /// Where the value is in the file; nil if it is not within it.
    var value: Range<Int>?
  }

  let form: TIFFForm
  /// The offset of the directory in the file.
  let start: Int
  /// The number of entries, the entries, and the offset of the next directory.
  private let bytes: [UInt8]
  /// Where the entries end.
  private let end: Int
  private(set) var entries: [Entry] = []

  private static let maxEntries = 4096

  /// Reads the directory at an offset; of one that is cut off, what is there.
  init<Failure>(
    _ file: inout FileWindow<Failure>,
    at start: Int,
    _ form: TIFFForm
  ) throws(HeaderError<Failure>) {
    (self.start, self.form) = (start, form)
    let head = try file.bytes(start..<start + form.countSize)
    let count = form.integer(head, at: 0, form.countSize)?.length ?? 0
    guard count <= Self.maxEntries else {
      let text = "a directory has more than \(Self.maxEntries) entries"
      throw .content(.limit(at: start, text))
    }
    end = form.countSize + count * form.entrySize
    bytes = try file.bytes(at: start, upTo: end + form.offsetSize)
    for place in stride(
      from: form.countSize,
      through: min(end, bytes.count) - form.entrySize,
      by: form.entrySize
    ) {
      if let entry = entry(at: place, file.size) { entries.append(entry) }
    }
  }

  private func entry(at place: Int, _ fileSize: Int) -> Entry? {
    guard let tag = bytes.span.uint16(at: place, form.order),
      let type = bytes.span.uint16(at: place + 2, form.order), let size = Self.size(ofType: type),
      let count = form.integer(bytes, at: place + 4, form.offsetSize)?.length
    else { return nil }
    var entry = Entry(tag: tag, type: type, count: count, place: place)
    guard count <= fileSize / size else { return entry }
    let value =
      count * size <= form.offsetSize
      ? start + place + form.valueOffset
      : form.integer(bytes, at: place + form.valueOffset, form.offsetSize)?.length ?? fileSize
    if value <= fileSize - count * size { entry.value = value..<value + count * size }
    return entry
  }

  /// Returns whether the value of an entry is in the entry itself.
  func isInline(_ entry: Entry) -> Bool {
    entry.value?.lowerBound == start + entry.place + form.valueOffset
  }

  /// Returns the size of a value of a type, also of the types of BigTIFF.
  static func size(ofType type: UInt16) -> Int? {
    (16...18).contains(type) ? 8 : TIFFBlock.size(ofType: type)
  }

  /// Returns the size of an integer of a type; nil if its values are no integers.
  private static func size(ofInteger type: UInt16) -> Int? {
    [1, 3, 4, 6, 8, 9, 13, 16, 17, 18].contains(type) ? size(ofType: type) : nil
  }

  /// The bytes of the directory, with the offset of the next one.
  var range: Range<Int> { start..<start + bytes.count }

  /// The offset of the next directory; nil if there is none.
  ///
  /// Files occur that end with the entries, without this offset.
  var next: Int? {
    guard let next = form.integer(bytes, at: end, form.offsetSize), next != 0 else { return nil }
    return next.length
  }

  /// Returns why Orientation cannot be read and changed reliably; nil if it can.
  package var problem: String? {
    guard bytes.count >= end else {
      let count = (end - form.countSize) / form.entrySize
      return "the directory has \(count) entries, the file ends after \(entries.count)"
    }
    for entry in entries where entry.tag == ExifTag.orientation {
      if Self.size(ofInteger: entry.type) == nil { return "its Orientation is not an integer" }
      if entry.count != 1 { return "its Orientation has \(entry.count) values instead of 1" }
    }
    return nil
  }

  // MARK: Values

  /// Returns the first entry of a tag that has a value.
  subscript(_ tag: UInt16) -> Entry? { entries.first { $0.tag == tag && $0.value != nil } }

  /// Returns the first elements of an entry; none if they are no integers.
  func integers<Failure>(
    _ tag: UInt16,
    _ file: inout FileWindow<Failure>,
    maxCount: Int = 1
  ) throws(HeaderError<Failure>) -> [Int64] {
    guard let entry = self[tag] else { return [] }
    return try integers(entry, &file, maxCount: maxCount)
  }

  func integers<Failure>(
    _ entry: Entry,
    _ file: inout FileWindow<Failure>,
    maxCount: Int
  ) throws(HeaderError<Failure>) -> [Int64] {
    guard let range = entry.value, let size = Self.size(ofInteger: entry.type) else { return [] }
    let bytes = try file.bytes(range.prefix(min(maxCount, entry.count) * size))
    return stride(from: 0, to: bytes.count, by: size).compactMap {
      form.integer(bytes, at: $0, size)
    }
  }

  /// Returns the text of an entry up to a NUL, without white space at its end; nil if it is empty.
  func text<Failure>(
    _ tag: UInt16,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> String? {
    guard let entry = self[tag], entry.type == 2, let range = entry.value else { return nil }
    var bytes = try file.bytes(range.prefix(256)).prefix { $0 != 0 }
    while bytes.last == 0x20 { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Changes

  /// Returns the edits that set every Orientation, or remove it; the directory must have no ``problem``.
  ///
  /// A removal moves the entries after it and the offset of the next directory; the freed bytes become zero.
  package func edits(to orientation: Orientation?, name: String) -> [Edit] {
    let own = entries.filter { $0.tag == ExifTag.orientation }
    guard let orientation else { return own.isEmpty ? [] : removal(of: own, name) }
    var edits: [Edit] = []
    for entry in own {
      guard let size = Self.size(ofInteger: entry.type), let old = value(entry),
        old != orientation.rawValue
      else { continue }
      let new = form.bytes(orientation.rawValue, size)
      let place = entry.place + form.valueOffset
      edits.append(
        edit(place..<place + size, new, "\(old)", "\(orientation.rawValue)", "\(name).orientation")
      )
    }
    return edits
  }

  private func removal(of own: [Entry], _ name: String) -> [Edit] {
    let tail = own[0].place..<bytes.count
    let removed = Set(own.map { $0.place })
    let kept = stride(from: tail.lowerBound, to: end, by: form.entrySize).filter {
      !removed.contains($0)
    }
    var rest = kept.flatMap { bytes[$0..<$0 + form.entrySize] } + bytes[end...]
    rest += [UInt8](repeating: 0, count: tail.count - rest.count)
    let count = (end - form.countSize) / form.entrySize
    let left = count - own.count
    return [
      edit(
        0..<form.countSize,
        form.bytes(left, form.countSize),
        "\(count)",
        "\(left)",
        "\(name).count"
      ),
      edit(tail, rest, value(own[0]).map { "\($0)" } ?? "", "removed", "\(name).orientation"),
    ]
  }

  /// Returns the first integer of an entry that contains its value.
  private func value(_ entry: Entry) -> Int64? {
    Self.size(ofInteger: entry.type).flatMap {
      form.integer(bytes, at: entry.place + form.valueOffset, $0)
    }
  }

  private func edit(
    _ range: Range<Int>,
    _ new: [UInt8],
    _ old: String,
    _ text: String,
    _ field: String
  ) -> Edit {
    Edit(
      start + range.lowerBound..<start + range.upperBound,
      with: new,
      field: Edit.Field("exif.\(field)", old: old, new: text)
    )
  }
}
