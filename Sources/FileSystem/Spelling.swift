package import SystemPackage

/// Names where their case does not matter: on memory cards, shares of other systems and folders that were made so.
///
/// Such a file system has a file under every spelling of its name, and some give each spelling an inode number of its own.
/// The directory lists the file once.
extension FilePath {
  /// Whether two paths lead to one file, even if their names differ in case.
  ///
  /// - Throws: ``FileError`` if a file cannot be examined.
  package func isSameFile(as other: FilePath) throws(FileError) -> Bool {
    if self == other { return true }
    guard let one = try examined(), let two = try other.examined() else { return false }
    if one.key == two.key { return true }
    guard let name = lastComponent, one.size == two.size, folded == other.folded,
      try parent.isSameFile(as: other.parent)
    else { return false }
    return name == other.lastComponent || spellings?.count == 1
  }

  /// Whether a file of other paths is the one at this path, of which only those are examined whose names differ in case.
  package func isSameFile(asOneOf others: [FilePath]) throws(FileError) -> Bool {
    for other in others where folded == other.folded {
      if try isSameFile(as: other) { return true }
    }
    return false
  }

  /// The path with its last name as its directory lists it; the same path where there is no such file, or where names in
  /// another case are those of other files.
  package var asListed: FilePath {
    guard let name = lastComponent, status != nil, let spellings, !spellings.contains(name.bytes),
      spellings.count == 1, let listed = FilePath.Component(bytes: spellings[0])
    else { return self }
    return removingLastComponent().appending(listed)
  }

  /// The path with all its names as their directories list them.
  ///
  /// - Complexity: One system call for each name whose case matters.
  package var asListedThroughout: FilePath {
    guard let name = lastComponent else { return self }
    let path = removingLastComponent().asListedThroughout.appending(name)
    return path.hasOtherSpelling == true ? path.asListed : path
  }

  /// A hash that is the same for all spellings of the name.
  var foldedHash: Int {
    var hasher = Hasher()
    hasher.combine(removingLastComponent())
    hasher.combine(folded)
    return hasher.finalize()
  }

  /// Whether there is something under the name with the case of its letters changed; nil if it has no letters.
  var hasOtherSpelling: Bool? {
    guard let name = lastComponent else { return nil }
    var bytes = name.bytes.map { byte in
      let isLetter = (0x41...0x5A).contains(byte & 0xDF)
      return isLetter ? byte ^ 0x20 : byte
    }
    if bytes == name.bytes {
      let small = name.string.lowercased()
      bytes = Array((small == name.string ? name.string.uppercased() : small).utf8)
    }
    guard bytes != name.bytes, let other = FilePath.Component(bytes: bytes) else { return nil }
    return
      (try? Syscalls.status(
        removingLastComponent().appending(other),
        followingLinks: false
      )) != nil
  }

  /// The directory of the name.
  private var parent: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// The name without its case.
  private var folded: String {
    String(decoding: lastComponent?.bytes ?? [], as: UTF8.self).lowercased()
  }

  /// The names in the directory that differ from this one in case only, or are the same; nil if they cannot be listed.
  private var spellings: [[UInt8]]? {
    let folded = folded
    return try? Syscalls.list(parent).map(\.name)
      .filter { String(decoding: $0, as: UTF8.self).lowercased() == folded }
  }
}
