internal import FileBytes
internal import FileSystem
internal import JPEGCore
internal import Synchronization
internal import SystemPackage

/// The file in which Picasa keeps what it knows of the photos of a folder: a section for each, with its name.
struct PicasaList: Sendable {
  /// What is said of a photo.
  struct Entry: OptionSet, Sendable {
    let rawValue: UInt8
    /// The photo is rotated, cropped or retouched.
    static let edit = Entry(rawValue: 1)
    /// Faces in the photo have places.
    static let faces = Entry(rawValue: 2)
  }

  /// The names of the file, of which Picasa has used several.
  static let names = [".picasa.ini", "picasa.ini", "Picasa.ini"]

  /// What is said of the photos with these names, in small letters.
  private var entries: [String: Entry] = [:]

  init(_ content: [UInt8]) {
    let text = NeighbourContent.text(of: content)
    // Older versions write the code page of the system.
    let isUTF8 = String(validating: text, as: UTF8.self) != nil
    var name: String?
    var heading: ArraySlice<UInt8>?
    var rest = text[...]
    while let start = rest.firstIndex(where: { $0 != 0x0A && $0 != 0x0D }) {
      let line = rest[start...].prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest[line.endIndex...]
      if line.first == UInt8(ascii: "["), let end = line.lastIndex(of: UInt8(ascii: "]")) {
        (heading, name) = (line[(line.startIndex + 1)..<end], nil)
      } else if let heading, let entry = Self.entry(line) {
        let key = name ?? Self.key(heading, isUTF8: isUTF8)
        entries[key, default: []].formUnion(entry)
        name = key
      }
    }
  }

  /// What is said of the photo with this name.
  subscript(_ photo: [UInt8]) -> Entry { entries[Self.key(photo[...], isUTF8: true)] ?? [] }

  private static func key(_ name: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    isUTF8
      ? String(decoding: name, as: UTF8.self).lowercased()
      : String(String.UnicodeScalarView(name.map { Unicode.Scalar($0) })).lowercased()
  }

  /// Returns what a line says, or nil.
  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    // Most lines say something else.
    switch line.first {
    case UInt8(ascii: "r"), UInt8(ascii: "c"), UInt8(ascii: "f"): break
    default: return nil
    }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("faces=") { return .faces }
    if text.hasPrefix("rotate=") { return text.hasPrefix("rotate=rotate(0)") ? nil : .edit }
    if text.hasPrefix("crop=") { return .edit }
    let parts: [StaticString] = ["crop64=", "tilt=", "redeye=", "retouch="]
    let bytes = line.span
    let isEdit = parts.contains { bytes.firstOffset(of: $0, in: bytes.indices) != nil }
    return text.hasPrefix("filters=") && isEdit ? .edit : nil
  }
}

// MARK: Reading

extension PicasaList {
  /// A list as it was read.
  private struct Known: Sendable {
    var identity: FileIdentity
    /// Whether the next change will be seen in the identity.
    var isSettled: Bool
    var bytes: [UInt8]
    var list: PicasaList
  }

  /// The lists that were read last, the newest last: it is the same for all photos of a folder.
  private static let known = Mutex<[Known]>([])
  /// The number of lists that are kept, as the threads are rarely in more folders.
  private static let maxKnown = 4

  /// Returns the list at a path, which is read again only if it changed.
  ///
  /// - Throws: ``FileError``, of `too-large` if it has more bytes than `limit`.
  static func at(
    _ path: FilePath,
    _ status: FileIdentity,
    limit: Int
  ) throws(FileError) -> PicasaList {
    try known.withLock { (known) throws(FileError) in
      let index = known.firstIndex { $0.identity.key == status.key }
      if let index, known[index].isSettled, known[index].identity.isSameVersion(as: status) {
        return known[index].list
      }
      let (bytes, identity) = try readFile(path, limit: limit)
      var list: PicasaList?
      if let index {
        let former = known.remove(at: index)
        if former.bytes == bytes { list = former.list }
      }
      let read = list ?? PicasaList(bytes)
      if known.count == maxKnown { known.removeFirst() }
      known.append(
        Known(identity: identity, isSettled: identity.isSettled(), bytes: bytes, list: read)
      )
      return read
    }
  }
}
