/// The directories in which systems and storage devices keep what is not a user's: what was deleted, snapshots, thumbnails.
package enum SystemDirectory {
  /// Names on file systems that distinguish capital letters.
  private static let names: Set<String> = [
    // Linux; the bins of freedesktop.org also have names with the number of a user.
    "lost+found", ".Trash", ".snapshot", ".snapshots", ".zfs", "~snapshot",
    // Synology
    "#recycle", "#snapshot", "@eaDir", "@tmp",
    // QNAP
    "@Recycle", "@Recently-Snapshot", ".@__thumb", ".@upload_cache", ".streams",
    // Samba's default
    ".recycle",
  ]

  /// Names on Windows and macOS, in small letters.
  private static let namesInAnyCase: Set<String> = [
    "$recycle.bin", "recycler", "recycled", "system volume information",
    ".trashes", ".spotlight-v100", ".fseventsd", ".documentrevisions-v100", ".temporaryitems",
    ".appledouble",
  ]

  /// The beginning of the names of bins of freedesktop.org, before the number of a user.
  private static let bin = ".Trash-"

  /// Whether a directory with this name is one of them.
  package static func has(name: [UInt8]) -> Bool {
    let name = String(decoding: name, as: UTF8.self)
    if names.contains(name) || namesInAnyCase.contains(name.lowercased()) { return true }
    return name.hasPrefix(bin) && name.utf8.count > bin.utf8.count
      && name.utf8.dropFirst(bin.utf8.count).allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}
