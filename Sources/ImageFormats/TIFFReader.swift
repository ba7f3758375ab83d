internal import FileBytes
internal import ISOBMFF

/// A page of a TIFF file: a directory in the list that begins with IFD0.
package struct TIFFPage: Sendable {
  package let directory: TIFFDirectory
  /// Orientation, even if invalid.
  package var tag: Int64?
  var width: Int
  var height: Int
  /// Whether the page is a reduced rendition of another one (NewSubfileType).
  package var isReduced: Bool

  init<Failure>(
    _ directory: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    self.directory = directory
    tag = try directory.integers(ExifTag.orientation, &file).first
    width = try directory.integers(ExifTag.imageWidth, &file).first?.length ?? 0
    height = try directory.integers(ExifTag.imageLength, &file).first?.length ?? 0
    let type = try directory.integers(TIFFReader.Tag.subfileType, &file).first
    isReduced = type.map { $0 & 1 == 1 } ?? false
  }
}

/// Reads a TIFF, BigTIFF or DNG file (TIFF 6.0, section 2; DNG 1.7), or a camera raw file that is built so.
struct TIFFReader {
  /// The maximum number of pages that are read.
  static let maxPages = 4096
  /// The maximum number of directories besides the pages.
  private static let maxDirectories = 4096

  enum Tag {
    static let subfileType: UInt16 = 0xFE
    static let subDirectories: UInt16 = 0x14A
    static let xmp: UInt16 = 0x2BC
    static let dngVersion: UInt16 = 0xC612
    /// The manifest store of C2PA.
    static let credentials: UInt16 = 0xCD41
    /// Exif, GPS and Interoperability, and other directories of images.
    static let directories: Set<UInt16> = [subDirectories, 0x8769, 0x8825, 0xA005]
  }

  let form: TIFFForm
  private(set) var facts: FormatHeader
  private var claims = ByteClaims()
  /// The offsets of the directories that were read.
  private var visited: Set<Int> = []

  static func read<Failure>(
    _ file: inout FileWindow<Failure>,
    _ format: ImageFormat,
    ending: String?
  ) throws(HeaderError<Failure>) -> FormatHeader {
    let header = try file.bytes(at: 0, upTo: 16)
    let order: ByteOrder = header.span.hasPrefix("II") ? .little : .big
    let form = TIFFForm(order: order, isBig: header.span.uint16(at: 2, order) == 43)
    guard let first = form.integer(header, at: form.isBig ? 8 : 4, form.offsetSize) else {
      let text = "the TIFF file ends within its header"
      throw .content(.truncated(at: header.count, text))
    }
    var reader = TIFFReader(form: form, facts: FormatHeader(format))
    return try reader.read(first.length, ending, &file)
  }

  private init(form: TIFFForm, facts: FormatHeader) { (self.form, self.facts) = (form, facts) }

  private mutating func read<Failure>(
    _ first: Int,
    _ ending: String?,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    claims.add(0..<(form.isBig ? 16 : 8))
    let main = try TIFFDirectory(&file, at: first, form)
    if main[Tag.dngVersion] != nil { facts.format = .dng }
    facts.make = try main.text(ExifTag.make, &file)
    facts.model = try main.text(ExifTag.model, &file)
    facts.capture = try CaptureFields(main, &file).block
    try readPages(main, &file)
    facts.hasCredentials = facts.pages.contains { $0.directory[Tag.credentials] != nil }
    if let packet = main[Tag.xmp]?.value {
      facts.xmp = [MetadataPart(try file.bytes(packet), at: packet.lowerBound)]
    }
    if let raw = try CameraRaw(facts, ending: ending, &file) {
      raw.describe(&facts)
      return facts
    }
    let page = facts.pages[facts.primaryPage]
    (facts.width, facts.height) = (page.width, page.height)
    // IFD0 of a DNG file usually has a preview.
    if facts.format == .dng {
      for offset in try main.integers(Tag.subDirectories, &file, maxCount: 16) {
        let image = try TIFFPage(TIFFDirectory(&file, at: offset.length, form), &file)
        if !image.isReduced, image.width > 0 {
          (facts.width, facts.height) = (image.width, image.height)
        }
      }
    }
    // Claims of the pages are complete, or there are none.
    if let claimed = try claimed(&file) { facts.claims = claimed }
    return facts
  }

  /// Reads the pages from the first on; one that cannot be read ends them.
  private mutating func readPages<Failure>(
    _ first: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    var page = try TIFFPage(first, &file)
    var entries = first.entries.count
    visited = [first.start]
    facts.pages = [page]
    while let next = page.directory.next {
      let number = facts.pages.count + 1
      guard visited.insert(next).inserted else {
        facts.note(.pagesNotRead, "page \(number) of the file is an earlier one again")
        return
      }
      guard number <= Self.maxPages else {
        facts.note(.pagesNotRead, "only the first \(Self.maxPages) pages of the file were read")
        facts.hasMorePages = true
        return
      }
      do throws(HeaderError<Failure>) {
        page = try TIFFPage(TIFFDirectory(&file, at: next, form), &file)
      } catch {
        guard case .content(let error) = error else { throw error }
        facts.note(.pagesNotRead, "page \(number) of the file cannot be read: \(error.message)")
        return
      }
      entries += page.directory.entries.count
      // Pages that share their entries could be as many as the file has bytes, with thousands of entries each.
      guard entries <= file.size / form.entrySize else {
        facts.note(.pagesNotRead, "page \(number) of the file is within other pages")
        facts.hasMorePages = true
        return
      }
      facts.pages.append(page)
    }
  }

  // MARK: Claims

  /// Returns what the pages and all that they refer to use; nil if that exceeds a limit.
  private mutating func claimed<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> ByteClaims? {
    guard !facts.hasMorePages else { return nil }
    var directories = facts.pages.map { $0.directory }
    visited = Set(directories.map { $0.start })
    var count = 0
    var room = file.size
    while let directory = directories.popLast() {
      count += 1
      guard count <= Self.maxPages + Self.maxDirectories else { return nil }
      do throws(HeaderError<Failure>) {
        try claim(directory, &room, &file)
        for offset in try references(directory, &file) where visited.insert(offset).inserted {
          if let other = try self.directory(at: offset, &file) { directories.append(other) }
        }
      } catch {
        guard case .content = error else { throw error }
        return nil
      }
    }
    return claims
  }

  /// Returns the directory at an offset; nil if there is none, so that it uses nothing.
  private func directory<Failure>(
    at offset: Int,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> TIFFDirectory? {
    do throws(HeaderError<Failure>) {
      return try TIFFDirectory(&file, at: offset, form)
    } catch {
      guard case .content = error else { throw error }
      return nil
    }
  }

  /// Returns the offsets of the directories that the entries of a directory refer to.
  private func references<Failure>(
    _ directory: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> [Int] {
    var offsets: [Int] = []
    for entry in directory.entries
    where Tag.directories.contains(entry.tag) || entry.type == 13 || entry.type == 18 {
      let values = try directory.integers(entry, &file, maxCount: Self.maxDirectories)
      offsets += values.map { $0.length }
    }
    return offsets
  }

  private mutating func claim<Failure>(
    _ directory: TIFFDirectory,
    _ room: inout Int,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    claims.add(directory.range)
    for entry in directory.entries {
      if let value = entry.value, !directory.isInline(entry) { claims.add(value) }
    }
    for data in try TIFFData.find(in: directory, &room, &file) { claims.add(data) }
  }
}
