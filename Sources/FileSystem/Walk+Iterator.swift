import SystemPackage

extension Walk {
  /// An iteration over the items of a walk.
  package struct Iterator: IteratorProtocol, Sendable {
    /// A directory, and the place of its next entry.
    struct Level: Sendable {
      let directory: FilePath
      /// The directory's path with a trailing slash.
      let prefix: [UInt8]
      let key: FileIdentity.Key?
      let surroundings: Surroundings
      var next = 0
    }

    let walk: Walk
    private(set) var root: FilePath = ""
    private var rootIndex = 0
    private var visitedRoots: Set<FileIdentity.Key> = []
    private var namedFiles: Set<FilePath> = []
    /// The roots without symbolic links; resolved when the first link is found.
    var targets: [(root: FilePath, target: FilePath)]?
    private var levels: [Level] = []
    private var named = NamedDirectory()

    init(_ walk: Walk) {
      self.walk = walk
    }

    /// Returns the next item, or `nil` at the end of the walk.
    package mutating func next() -> Item? {
      while true {
        if let deepest = levels.indices.last {
          let (entries, next) = (levels[deepest].surroundings.entries, levels[deepest].next)
          guard next < entries.count else {
            levels.removeLast()
            continue
          }
          let entry = entries[next]
          levels[deepest].next += 1
          if let item = visit(entry, in: deepest) { return item }
        } else {
          guard rootIndex < walk.roots.count else { return nil }
          root = walk.roots[rootIndex]
          rootIndex += 1
          if let item = visitRoot() { return item }
        }
      }
    }

    private mutating func visitRoot() -> Item? {
      do throws(FileError) {
        var identity = try status(root)
        if identity.kind == .directory {
          let listed = root.asListedThroughout
          if listed != root { (root, identity) = (listed, try status(listed)) }
        }
        // Which names of a file are taken, VisitedFiles decides.
        let isNew =
          identity.kind == .directory
          ? visitedRoots.insert(identity.key).inserted : namedFiles.insert(root).inserted
        guard isNew else { return .ignored(root, .duplicate) }
        switch identity.kind {
        case .regular:
          if let name = root.lastComponent, TemporaryName.matches(name) {
            return .ignored(root, .temporary)
          }
          var found = Found(root, root: root)
          named.describe(&found)
          return .file(found)
        case .directory where walk.recursive:
          return try enter(root)
        case let kind:
          return kind.problem.map { .failed(FileError(root, .open, $0)) }
        }
      } catch {
        return .failed(error)
      }
    }

    private mutating func visit(_ entry: DirectoryEntry, in level: Int) -> Item? {
      let verdict = walk.names.verdict(entry.name)
      // Sidecars belong to photos, and hidden files to the system.
      if entry.kind == .regular, verdict == .other,
        entry.name.first == UInt8(ascii: ".") && !TemporaryName.matches(entry.name)
          || NameRule.hasEnding(entry.name, ".xmp")
      {
        return nil
      }
      var bytes = levels[level].prefix
      bytes.reserveCapacity(bytes.count + entry.name.count + 1)
      bytes += entry.name
      bytes.append(0)
      guard let path = FilePath(terminated: bytes) else { return nil }
      if TemporaryName.matches(entry.name) { return .ignored(path, .temporary) }
      do throws(FileError) {
        switch try kind(of: entry, at: path) {
        case .directory:
          if let reason = walk.reasonToIgnore(directory: entry.name) {
            return .ignored(path, reason)
          }
          return try enter(path)
        case .symbolicLink:
          return try visitLink(path, entry, verdict)
        case .regular:
          return visitFile(path, entry, verdict)
        case .fifo, .socket, .device:
          return verdict == .taken ? .ignored(path, .special) : nil
        }
      } catch {
        return .failed(error)
      }
    }

    private func kind(of entry: DirectoryEntry, at path: FilePath) throws(FileError) -> FileKind {
      if let kind = entry.kind { return kind }
      return try status(path, followingLinks: false).kind
    }

    func visitFile(
      _ path: FilePath,
      _ entry: DirectoryEntry,
      _ verdict: NameRule.Verdict,
      target: FilePath? = nil
    ) -> Item? {
      guard walk.filter.takes(path, below: root) else { return nil }
      var found = Found(path, named: entry.name, root: root)
      found.target = target
      if let level = levels.last {
        found.directory = level.directory
        found.surroundings = level.surroundings
      }
      found.isRegular = entry.kind == .regular
      return walk.item(found, verdict) ?? .ignored(path, .otherName)
    }

    mutating func enter(_ directory: FilePath) throws(FileError) -> Item? {
      guard directory == root || walk.filter.enters(directory, below: root) else { return nil }
      let key = walk.links == .all ? try status(directory).key : nil
      // Compared each time, because the directory may be created during the walk.
      if let output = walk.outputDirectory,
        (try? output.isSameFile(as: directory)) == true
      {
        return .ignored(directory, .output)
      }
      // A link to a directory above would never end.
      if walk.links == .all, levels.contains(where: { $0.key == key }) {
        return .ignored(directory, .linkedDirectory)
      }
      let entries = try FileError.attributing(directory, .list) { () throws(Errno) in
        try Syscalls.list(directory)
      }
      var prefix = directory.bytes
      if prefix.last != UInt8(ascii: "/") { prefix.append(UInt8(ascii: "/")) }
      levels.append(
        Level(
          directory: directory,
          prefix: prefix,
          key: key,
          surroundings: Surroundings(entries, of: directory)
        )
      )
      return nil
    }

    func status(
      _ path: FilePath,
      followingLinks: Bool = true
    ) throws(FileError) -> FileIdentity {
      try FileError.attributing(path, .open) { () throws(Errno) in
        try Syscalls.status(path, followingLinks: followingLinks)
      }
    }
  }
}
