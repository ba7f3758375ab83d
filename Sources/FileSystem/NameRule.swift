package import ImageFormats
package import SystemPackage

/// Determines from a name whether a file in a directory or list is taken.
package struct NameRule: Hashable, Sendable {
  /// Endings of videos that are not read.
  private static let otherVideos = ["avi", "mkv", "webm", "mts", "m2ts", "mpg", "mpeg", "wmv"]

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
    /// The file has the name of an image of another format; it is taken if its content is JPEG and JPEG is taken.
    case otherFormat
    /// The file has the name of a camera raw file, which is not taken; the exception is the same.
    case raw
    /// The file is not taken.
    case other
  }

  /// Suffixes that other programs append to the names of originals: exiftool, patch, and editors.
  private static let backupSuffixes = ["_original", ".orig", ".bak", "~"]

  /// The formats whose files are taken.
  ///
  /// Default: JPEG.
  package var formats: Set<ImageFormat>
  /// Whether the content decides about files with other names; otherwise they are not taken.
  ///
  /// Default: no.
  package var allNames: Bool
  /// Whether images of other formats are distinguished from other files that are not taken.
  ///
  /// Default: no.
  package var distinguishesFormats = false
  /// The suffix of the originals that this run keeps.
  ///
  /// Default: none.
  package var backupSuffix: [UInt8]?

  /// Creates a rule.
  package init(
    formats: Set<ImageFormat> = [.jpeg],
    allNames: Bool = false,
    backupSuffix: [UInt8]? = nil
  ) {
    self.formats = formats
    self.allNames = allNames
    self.backupSuffix = backupSuffix
  }

  /// Returns the result for the last component of a path, as bytes.
  package func verdict(_ name: [UInt8]) -> Verdict {
    let format = Self.format(promisedBy: name)
    if format.map(formats.contains) == true { return .taken }
    guard var original = withoutBackupSuffix(name) else {
      if allNames { return .candidate }
      return switch format?.content {
      case .image: .otherFormat
      case .raw: .raw
      case .video: .video
      case nil: Self.isOtherVideo(name) ? .video : .other
      }
    }
    while Self.format(promisedBy: original).map(formats.contains) != true {
      guard let former = withoutBackupSuffix(original) else { return allNames ? .backup : .other }
      original = former
    }
    return .backup
  }

  /// Returns whether a file with the name of an image of another format is taken, because its content is JPEG.
  func takes(_ path: FilePath, named verdict: Verdict) -> Bool {
    (verdict == .otherFormat || verdict == .raw) && formats.contains(.jpeg)
      && FileReader.isJPEG(at: path)
  }

  /// Returns the format that a name promises.
  private static func format(promisedBy name: [UInt8]) -> ImageFormat? {
    ending(of: name).flatMap { ImageFormat.promised(byEnding: $0) }
  }

  private static func isOtherVideo(_ name: [UInt8]) -> Bool {
    ending(of: name).map { otherVideos.contains($0.lowercased()) } == true
  }

  /// Returns the part of a name after the last dot.
  private static func ending(of name: [UInt8]) -> String? {
    name.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: name[($0 + 1)...], as: UTF8.self)
    }
  }

  /// Returns what the names of the files of one shot have in common: a name without its ending, the part from the last dot
  /// on; nil if it is not that of an image or a video.
  ///
  /// A Pixel writes what it shows and what it made that of: `PXL_1.RAW-01.COVER.jpg` (or `.RAW-01.MP.COVER.jpg`) and
  /// `PXL_1.RAW-02.ORIGINAL.dng`.
  static func shot(of name: [UInt8]) -> [UInt8]? {
    guard format(promisedBy: name) != nil || isOtherVideo(name), !Walk.isAppleDouble(name),
      let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0
    else { return nil }
    let stem = name[..<dot]
    guard stem.last == UInt8(ascii: "R") || stem.last == UInt8(ascii: "L") else {
      return Array(stem)
    }
    var parts = stem.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let role = parts.popLast(),
      role.elementsEqual("COVER".utf8)
        || role.elementsEqual("ORIGINAL".utf8)
    else { return Array(stem) }
    if parts.last?.elementsEqual("MP".utf8) == true { parts.removeLast() }
    guard parts.count > 1, let kind = parts.popLast(), isNumberedKind(kind) else {
      return Array(stem)
    }
    return Array(parts.joined(separator: [UInt8(ascii: ".")]))
  }

  /// Whether a part of a name is like `RAW-01`.
  private static func isNumberedKind(_ part: ArraySlice<UInt8>) -> Bool {
    let kind = part.dropLast(3)
    return !kind.isEmpty
      && kind.allSatisfy { isCapital($0) || $0 == UInt8(ascii: "_") }
      && part.dropFirst(kind.count).first == UInt8(ascii: "-")
      && part.suffix(2).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Returns a byte of a name, as a small letter if it is a capital one of ASCII.
  static func small(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }

  private static func isCapital(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Returns an existing backup of a file with one of the usual names; nil if there is none.
  package static func backup(of path: FilePath) -> FilePath? {
    guard let name = path.lastComponent?.bytes else { return nil }
    return backupSuffixes.lazy.compactMap { FilePath.Component(bytes: name + Array($0.utf8)) }
      .map { path.removingLastComponent().appending($0) }.first { $0.status != nil }
  }

  /// Returns the name of the file that this one is a backup of, or nil if it is none.
  private func withoutBackupSuffix(_ name: [UInt8]) -> [UInt8]? {
    if let backupSuffix, !backupSuffix.isEmpty, name.count > backupSuffix.count,
      name.suffix(backupSuffix.count).elementsEqual(backupSuffix)
    {
      return name.dropLast(backupSuffix.count)
    }
    return Self.backupSuffixes
      .first { Self.hasEnding(name, $0) && name.count > $0.utf8.count }
      .map { name.dropLast($0.utf8.count) }
  }

  /// Whether a name ends with a text in small letters, ignoring case.
  static func hasEnding(_ name: [UInt8], _ ending: String) -> Bool {
    let start = name.count - ending.utf8.count
    guard start >= 0 else { return false }
    var index = start
    for letter in ending.utf8 {
      guard small(name[index]) == letter else { return false }
      index += 1
    }
    return true
  }
}
