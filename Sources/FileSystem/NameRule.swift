internal import SystemPackage

/// Determines from a name whether a file in a directory or list is taken.
package struct NameRule: Hashable, Sendable {
  /// The kinds of files that names distinguish.
  package struct Kind: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `.jpg`, `.jpeg`, `.jpe` and `.jfif`.
    package static let jpeg = Kind(rawValue: 1)
    /// `.heic`, `.heif` and `.hif`.
    package static let heic = Kind(rawValue: 2)
    /// `.avif`.
    package static let avif = Kind(rawValue: 4)
    /// `.tif` and `.tiff`.
    package static let tiff = Kind(rawValue: 8)
    /// `.dng`.
    package static let dng = Kind(rawValue: 16)
    /// `.png`.
    package static let png = Kind(rawValue: 32)
    /// `.webp`.
    package static let webp = Kind(rawValue: 64)
    /// `.jxl`.
    package static let jxl = Kind(rawValue: 128)
    /// The names of camera raw files, such as `.nef` and `.cr2`.
    package static let raw = Kind(rawValue: 256)
    /// `.mp4`, `.m4v`, `.3gp`, `.3g2`, `.mov` and `.qt`.
    package static let video = Kind(rawValue: 512)
    /// The names of HEIF files.
    package static let heif: Kind = [.heic, .avif]

    /// The names of all images.
    fileprivate static let all = Kind(rawValue: 511)

    /// The single kinds.
    package var elements: [Kind] {
      (0..<10).map { Kind(rawValue: 1 << $0) }.filter { contains($0) }
    }
  }

  private static let endings: [(Kind, StaticString)] = [
    (.jpeg, ".jpg"), (.jpeg, ".jpeg"), (.jpeg, ".jpe"), (.jpeg, ".jfif"), (.heic, ".heic"),
    (.heic, ".heif"), (.heic, ".hif"), (.avif, ".avif"), (.tiff, ".tif"), (.tiff, ".tiff"),
    (.dng, ".dng"), (.dng, ".gpr"), (.png, ".png"), (.webp, ".webp"), (.jxl, ".jxl"),
    (.raw, ".nef"), (.raw, ".nrw"), (.raw, ".cr2"), (.raw, ".arw"), (.raw, ".sr2"), (.raw, ".srf"),
    (.raw, ".pef"), (.raw, ".srw"), (.raw, ".rw2"), (.raw, ".rwl"), (.raw, ".orf"), (.raw, ".raw"),
    (.raw, ".3fr"), (.raw, ".fff"), (.raw, ".iiq"), (.raw, ".mef"), (.raw, ".mos"), (.raw, ".erf"),
    (.raw, ".kdc"), (.raw, ".dcr"), (.raw, ".dcs"), (.raw, ".k25"), (.raw, ".raf"), (.raw, ".cr3"),
    (.video, ".mp4"), (.video, ".m4v"), (.video, ".3gp"), (.video, ".3g2"), (.video, ".mov"),
    (.video, ".qt"),
  ]

  /// Videos that are not read.
  private static let videoEndings: [StaticString] = [
    ".avi", ".mkv", ".webm", ".mts", ".m2ts", ".mpg", ".mpeg", ".wmv",
  ]

  /// The result for a name.
  package enum Verdict: Sendable {
    /// The file is taken.
    case taken
    /// The content decides.
    case candidate
    /// The file is a backup of one that would be taken.
    case backup
    /// The file is a video, which is not taken.
    case video
    /// The file has the name of an image of another kind; it is taken if its content is JPEG and JPEG is taken.
    case otherFormat
    /// The file has the name of a camera raw file, which is not taken; the exception is the same.
    case raw
    /// The file is not taken.
    case other
  }

  /// Suffixes that other programs append to the names of originals: exiftool, patch, and editors.
  private static let backupSuffixes: [StaticString] = ["_original", ".orig", ".bak", "~"]

  /// The kinds of files that are taken.
  ///
  /// Default: JPEG.
  package var kind: Kind
  /// Whether the content decides about files with other names; otherwise they are not taken.
  ///
  /// Default: no.
  package var allNames: Bool
  /// Whether images of other kinds are distinguished from other files that are not taken.
  ///
  /// Default: no.
  package var distinguishesFormats = false
  /// The suffix of the originals that this run keeps.
  ///
  /// Default: none.
  package var backupSuffix: [UInt8]?

  /// Creates a rule.
  package init(kind: Kind = .jpeg, allNames: Bool = false, backupSuffix: [UInt8]? = nil) {
    self.kind = kind
    self.allNames = allNames
    self.backupSuffix = backupSuffix
  }

  /// Returns the result for the last component of a path, as bytes.
  package func verdict(_ name: [UInt8]) -> Verdict {
    if isTaken(name) { return .taken }
    guard var original = withoutBackupSuffix(name) else {
      if allNames { return .candidate }
      if Self.isVideo(name) { return .video }
      if Self.isTaken(name, .raw) { return .raw }
      return Self.isTaken(name, .all) ? .otherFormat : .other
    }
    while !isTaken(original) {
      guard let former = withoutBackupSuffix(original) else { return allNames ? .backup : .other }
      original = former
    }
    return .backup
  }

  /// Returns whether a file with the name of an image of another kind is taken, because its content is JPEG.
  func takes(_ path: FilePath, named verdict: Verdict) -> Bool {
    (verdict == .otherFormat || verdict == .raw) && kind.contains(.jpeg)
      && FileReader.isJPEG(at: path)
  }

  private func isTaken(_ name: [UInt8]) -> Bool { Self.isTaken(name, kind) }

  private static func isTaken(_ name: [UInt8], _ kinds: Kind) -> Bool {
    for (kind, ending) in endings where kinds.contains(kind) && hasEnding(name, ending) {
      return true
    }
    return false
  }

  private static func isVideo(_ name: [UInt8]) -> Bool {
    isTaken(name, .video) || videoEndings.contains { hasEnding(name, $0) }
  }

  /// Returns a name without its ending, the part from the last dot on; nil if it is not that of an image or a video.
  static func stemOfPhoto(_ name: [UInt8]) -> [UInt8]? {
    guard isTaken(name, .all) || isVideo(name), !Walk.isAppleDouble(name),
      let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0
    else { return nil }
    return Array(name[..<dot])
  }

  /// Returns the names of images and videos that differ in their endings only, by what they have in common.
  static func pairs(_ names: [[UInt8]]) -> [[UInt8]: [[UInt8]]] {
    var groups: [[UInt8]: [[UInt8]]] = [:]
    for name in names {
      if let stem = stemOfPhoto(name) { groups[stem, default: []].append(name) }
    }
    return groups.filter { $0.value.count > 1 }
  }

  /// Returns the name of the file that this one is a backup of, or nil if it is none.
  private func withoutBackupSuffix(_ name: [UInt8]) -> [UInt8]? {
    if let backupSuffix, !backupSuffix.isEmpty, name.count > backupSuffix.count,
      name.suffix(backupSuffix.count).elementsEqual(backupSuffix)
    {
      return name.dropLast(backupSuffix.count)
    }
    return Self.backupSuffixes
      .first { Self.hasEnding(name, $0) && name.count > $0.utf8CodeUnitCount }
      .map { name.dropLast($0.utf8CodeUnitCount) }
  }

  /// Whether a name has an ending, ignoring case.
  static func hasEnding(_ name: [UInt8], _ ending: StaticString) -> Bool {
    let start = name.count - ending.utf8CodeUnitCount
    guard start >= 0 else { return false }
    return ending.withUTF8Buffer { ending in
      for index in ending.indices {
        let byte = name[start + index]
        // Among the bytes that differ only in this bit, only capitals become letters.
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        guard unsafe (isCapital ? byte | 0x20 : byte) == ending[index] else { return false }
      }
      return true
    }
  }
}
