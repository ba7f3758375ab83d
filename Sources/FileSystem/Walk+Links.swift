import SystemPackage

/// Symbolic links in directories.
extension Walk.Iterator {
  mutating func visitLink(
    _ path: FilePath,
    _ entry: DirectoryEntry,
    _ verdict: NameRule.Verdict
  ) throws(FileError) -> Walk.Item? {
    let kind: FileKind
    do throws(FileError) {
      kind = try status(path).kind
    } catch {
      // A broken link is reported only if it is named like a photo.
      guard verdict == .taken, walk.links != .none else { return nil }
      throw error
    }
    switch kind {
    case .directory where walk.links == .all:
      if let reason = walk.reasonToIgnore(directory: entry.name) { return .ignored(path, reason) }
      return try enter(path)
    case .directory: return .ignored(path, .linkedDirectory)
    case .regular where walk.links == .none:
      return verdict == .taken ? .ignored(path, .linkedFile) : nil
    case .regular:
      guard verdict != .other else { return nil }
      let target = try FileError.attributing(path, .open) { () throws(Errno) in
        try Syscalls.resolve(path)
      }
      let item = visitFile(path, entry, verdict, target: target)
      switch item {
      case .file, .candidate:
        return walk.meetsOnce && meets(target) ? .ignored(path, .duplicate) : item
      case .ignored, .failed, nil: return item
      }
    default: return verdict == .taken ? .ignored(path, .special) : nil
    }
  }

  /// Whether the walk visits a file under this path, which contains no symbolic links.
  private mutating func meets(_ file: FilePath) -> Bool {
    let targets =
      targets
      ?? walk.roots.compactMap { root in
        (try? Syscalls.resolve(root)).map { (root: root, target: $0) }
      }
    self.targets = targets
    return targets.contains { root, target in
      var relative = file
      guard relative != target else { return true }
      guard walk.recursive, relative.removePrefix(target), let name = relative.lastComponent,
        enters(relative.removingLastComponent(), below: root)
      else { return false }
      let path = root.appending(relative.components)
      guard !TemporaryName.matches(name), walk.filter.takes(path, below: root) else {
        return false
      }
      switch walk.item(
        Walk.Found(path, root: root),
        walk.names.verdict(name.bytes)
      ) {
      case .file, .candidate: return true
      case .ignored, .failed, nil: return false
      }
    }
  }

  /// Whether the walk enters all directories of a path.
  private func enters(_ way: FilePath, below root: FilePath) -> Bool {
    var directory = root
    for component in way.components {
      directory.append(component)
      if walk.reasonToIgnore(directory: component.bytes) != nil { return false }
      if !walk.filter.enters(directory, below: root) { return false }
      if let output = walk.outputDirectory, let key = output.status?.key,
        directory.status?.key == key
      {
        return false
      }
    }
    return true
  }
}
