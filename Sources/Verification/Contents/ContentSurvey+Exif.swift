internal import FileBytes
internal import ISOBMFF
internal import Upright

/// The directories of Exif blocks and TIFF files.
extension ContentSurvey {
  private static let make: UInt16 = 0x10F
  private static let exif: UInt16 = 0x8769
  private static let makerNote: UInt16 = 0x927C
  private static let imageResources: UInt16 = 0x8649
  private static let privateData: UInt16 = 0xC634

  /// Surveys the directories of a block; `name` is for people.
  mutating func surveyTIFF(
    _ name: String,
    _ container: ContainerBytes,
    _ range: Range<Int>,
    depth: Int = 0
  ) {
    guard let block = part(of: container, range, depth) else { return }
    let start = block.offset(of: 0)
    let bytes = block.bytes
    let tree: TIFFTree
    do throws(FormatError) {
      guard let read = try TIFFTree(bytes.span, in: bytes.indices) else {
        return addProblem(name, "it does not begin with a TIFF header", at: start)
      }
      tree = read
    } catch {
      return addProblem(name, error.message, at: start)
    }
    if tree.directories.isEmpty {
      return addProblem(name, "its first directory ends after it", at: start)
    }
    let cut = tree.unreadable.filter { Self.isCutDirectory(at: $0, tree.order, bytes) }
    for place in cut.prefix(Self.maxDirectoryProblems) {
      addProblem(name, "a directory ends after it", at: block.offset(of: place))
    }
    if tree.isCut {
      addProblem(name, "it has too many directories", at: start)
    }
    let maker = tree.directories.lazy.compactMap { $0.first(Self.make)?.value }.first
    let make = maker.map { String(decoding: bytes[$0].prefix { $0 != 0 }, as: UTF8.self) }
    let first = tree.directories[0].start
    for directory in tree.directories
    where directory.start == first || Self.isDirectory(directory) {
      if let pointer = directory.pointer, !KnownTags.pointers.contains(pointer) {
        add(.directory, Self.number(pointer), at: block.offset(of: directory.start))
        continue
      }
      for entry in directory.entries {
        survey(entry, of: directory, make, name, block, depth)
      }
    }
  }

  private static let maxDirectoryProblems = 4

  /// Returns whether a directory is one: the bytes that a wild pointer leads to have types that do not exist.
  private static func isDirectory(_ directory: TIFFTree.Directory) -> Bool {
    let typed = directory.entries.count { $0.isTyped }
    return 2 * typed >= directory.entries.count
  }

  /// Returns whether a directory that ends after its block begins in it, with entries that readers take for some.
  private static func isCutDirectory(at place: Int, _ order: ByteOrder, _ bytes: [UInt8]) -> Bool {
    let types = stride(from: place + 4, to: bytes.count - 9, by: 12).map {
      bytes.span.uint16(at: $0, order) ?? 0
    }
    return !types.isEmpty && types.allSatisfy { (1...13).contains($0) }
  }

  private mutating func survey(
    _ entry: TIFFTree.Entry,
    of directory: TIFFTree.Directory,
    _ make: String?,
    _ name: String,
    _ block: ContainerBytes,
    _ depth: Int
  ) {
    let place = block.offset(of: entry.value?.lowerBound ?? entry.place)
    guard let value = entry.value else {
      guard entry.isTyped else { return add(.tag, Self.number(entry.tag), at: place) }
      let text = "the value of the tag \(Self.number(entry.tag)) ends after it"
      return addProblem(name, text, at: place)
    }
    switch entry.tag {
    case Self.makerNote where directory.pointer == Self.exif:
      let isEmpty = !block.bytes[value].contains { $0 != 0 }
      if !isEmpty { add(.makerNote, Self.maker(make), at: place) }
    case Self.privateData: add(.makerNote, "\(Self.maker(make)) (DNGPrivateData)", at: place)
    case TIFFTree.packet: surveyXMP("XMP in \(name)", block, value, depth: depth + 1)
    case Self.imageResources:
      surveyResources("Photoshop's resources in \(name)", block, value, depth: depth + 1)
    default:
      // The directory that a tag points to is listed instead of the tag.
      guard !entry.isPointer, !KnownTags.contains(entry.tag, in: directory.pointer) else { return }
      add(.tag, Self.number(entry.tag), at: place)
    }
  }

  private static func maker(_ make: String?) -> String {
    let words = (make ?? "").split { $0 == " " }
    let isPlain = words.joined().utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    return words.isEmpty || !isPlain ? "an unknown maker" : words.joined(separator: " ")
  }

  static func number(_ tag: UInt16) -> String {
    "0x" + [UInt8(tag >> 8), UInt8(tag & 0xFF)].hexadecimal(uppercase: true)
  }
}
