/// Determines from a name whether a file in a directory or list is taken.
package struct NameRule: Hashable, Sendable {
  /// The kinds of files that names distinguish.
  package enum Kind: Hashable, Sendable {
    /// `.jpg`, `.jpeg`, `.jpe` and `.jfif`.
    case jpeg
    /// `.heic`, `.heif`, `.hif` and `.avif`.
    case heif
  }

  /// The result for a name.
  package enum Verdict: Sendable {
    /// The file is taken.
    case taken
    /// The content decides.
    case candidate
    /// The file is a backup of one that would be taken.
    case backup
    /// The file is not taken.
    case other
  }

  /// Suffixes that other programs append to the names of originals: exiftool, patch, and editors.
  private static let backupSuffixes: [StaticString] = ["_original", ".orig", ".bak", "~"]

  /// The kind of file that is taken.
  ///
  /// Default: JPEG.
  package var kind: Kind
  /// Whether the content decides about files with other names; otherwise they are not taken.
  ///
  /// Default: no.
  package var allNames: Bool
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
    guard var original = withoutBackupSuffix(name) else { return allNames ? .candidate : .other }
    while !isTaken(original) {
      guard let former = withoutBackupSuffix(original) else { return allNames ? .backup : .other }
      original = former
    }
    return .backup
  }

  private func isTaken(_ name: [UInt8]) -> Bool {
    switch kind {
    case .jpeg:
      Self.hasEnding(name, ".jpg") || Self.hasEnding(name, ".jpeg")
        || Self.hasEnding(name, ".jpe") || Self.hasEnding(name, ".jfif")
    case .heif:
      Self.hasEnding(name, ".heic") || Self.hasEnding(name, ".heif")
        || Self.hasEnding(name, ".hif") || Self.hasEnding(name, ".avif")
    }
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
