import SystemPackage

extension Walk {
  /// A walk under way.
  package struct Iterator: IteratorProtocol {
    private typealias Entry = (name: FilePath.Component, kind: FileKind?)

    /// A directory and what is still to be visited in it, last first.
    private struct Level {
      let directory: FilePath
      var entries: [Entry]
    }

    private let walk: Walk
    private var root: FilePath = ""
    private var rootIndex = 0
    private var rootsMet: Set<FileIdentity.Key> = []
    private var levels: [Level] = []

    init(_ walk: Walk) {
      self.walk = walk
    }

    /// Goes on to the next item; `nil` at the end of the walk.
    package mutating func next() -> Item? {
      while true {
        if let deepest = levels.indices.last {
          guard let entry = levels[deepest].entries.popLast() else {
            levels.removeLast()
            continue
          }
          if let item = visit(entry, in: levels[deepest].directory) { return item }
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
        let identity = try status(root)
        guard rootsMet.insert(identity.key).inserted else { return .skipped(root, .duplicate) }
        switch identity.kind {
        case .regular:
          if let name = root.lastComponent, TemporaryName.matches(name) {
            return .skipped(root, .temporary)
          }
          return .file(root, root: root)
        case .directory where walk.recursive:
          return try enter(root)
        case let kind:
          return kind.problem.map { .failed(FileError(root, .open, $0)) }
        }
      } catch {
        return .failed(error)
      }
    }

    private mutating func visit(_ entry: Entry, in directory: FilePath) -> Item? {
      let name = entry.name
      let path = directory.appending(name)
      if TemporaryName.matches(name) { return .skipped(path, .temporary) }
      do throws(FileError) {
        switch try kind(of: entry, at: path) {
        case .directory:
          return try visitDirectory(path, name)
        case .symbolicLink:
          return try visitLink(path, name)
        case .regular:
          guard Walk.selects(name) else { return nil }
          if name.bytes.starts(with: "._".utf8) { return .skipped(path, .appleDouble) }
          return .file(path, root: root)
        case .fifo, .socket, .device:
          return Walk.selects(name) ? .skipped(path, .special) : nil
        }
      } catch {
        return .failed(error)
      }
    }

    private func kind(of entry: Entry, at path: FilePath) throws(FileError) -> FileKind {
      if let kind = entry.kind { return kind }
      return try status(path, followingLinks: false).kind
    }

    private mutating func visitDirectory(
      _ path: FilePath,
      _ name: FilePath.Component
    ) throws(FileError) -> Item? {
      if !walk.includesHidden, name.bytes.first == UInt8(ascii: ".") {
        return .skipped(path, .hidden)
      }
      return try enter(path)
    }

    private func visitLink(
      _ path: FilePath,
      _ name: FilePath.Component
    ) throws(FileError) -> Item? {
      let kind: FileKind
      do throws(FileError) {
        kind = try status(path).kind
      } catch {
        // Where a broken link led is nobody's concern unless it is named like a photograph.
        guard Walk.selects(name) else { return nil }
        throw error
      }
      if kind == .directory { return .skipped(path, .linkedDirectory) }
      guard Walk.selects(name) else { return nil }
      return kind == .regular ? .file(path, root: root) : .skipped(path, .special)
    }

    private mutating func enter(_ directory: FilePath) throws(FileError) -> Item? {
      // Compared anew each time, because the directory may be made during the walk.
      if let output = walk.outputDirectory,
        let outputKey = (try? Syscalls.status(output, followingLinks: true))?.key,
        try status(directory).key == outputKey
      {
        return .skipped(directory, .output)
      }
      var entries = try FileError.attributing(directory, .list) { () throws(Errno) in
        try Syscalls.list(directory)
      }
      entries.sort { $1.name.bytes.lexicographicallyPrecedes($0.name.bytes) }
      levels.append(Level(directory: directory, entries: entries))
      return nil
    }

    private func status(
      _ path: FilePath,
      followingLinks: Bool = true
    ) throws(FileError) -> FileIdentity {
      try FileError.attributing(path, .open) { () throws(Errno) in
        try Syscalls.status(path, followingLinks: followingLinks)
      }
    }
  }
}
