internal import FileSystem

extension Walk.Reason {
  /// Returns the sum of counts with each count, the largest first, and the options that include the files.
  static func summary(
    _ counts: [Walk.Reason: Int],
    systemNames: Set<String> = [],
    withOptions: Bool = true
  ) -> String {
    let names = systemNames.sorted().map(TextFormat.escaped).joined(separator: ", ")
    let words = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { reason, count in
        reason.words(count, reason == .system ? names : "", withOption: withOptions)
      }.joined(separator: ", ")
    return "\(counts.values.reduce(0, +)) ignored (\(words))"
  }

  /// Returns the count with its noun and the option that includes them, as in `2 hidden folders: --hidden`.
  private func words(_ count: Int, _ names: String, withOption: Bool) -> String {
    let (one, many, option): (String, String, String?) =
      switch self {
      case .duplicate: ("duplicate", "duplicates", nil)
      case .backup: ("backup", "backups", "processed if named")
      case .otherFormat: ("image of another format", "images of other formats", "--formats")
      case .otherName: ("file with another name", "files with other names", "--all-names")
      case .video: ("video", "videos", nil)
      case .raw: ("camera raw file", "camera raw files", nil)
      case .hidden: ("hidden folder", "hidden folders", "--hidden")
      case .system: ("system folder", "system folders", "--system-folders")
      case .linkedDirectory: ("linked folder", "linked folders", "--follow all")
      case .linkedFile: ("linked file", "linked files", "--follow files")
      case .output: ("output folder", "output folders", nil)
      case .companion:
        ("file beside a photo", "files beside photos", "processed with the photo")
      case .temporary: ("temporary file", "temporary files", nil)
      case .appleDouble: ("AppleDouble file", "AppleDouble files", nil)
      case .special: ("special file", "special files", nil)
      }
    return "\(count) \(count == 1 ? one : many)" + (names.isEmpty ? "" : " \(names)")
      + (option.map { withOption ? ": \($0)" : "" } ?? "")
  }
}
