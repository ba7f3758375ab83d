package import FileSystem
package import SystemPackage

/// The files that a command processes: those of the walk, then those of the list.
package struct Selection: Sequence, Sendable {
  package var walk: Walk
  /// Further paths, such as those of a list.
  package var list: PathList?
  /// The part of the files that this process takes.
  package var shard: Shard?

  /// Creates the selection of the files of a walk.
  package init(_ walk: Walk, list: PathList? = nil, shard: Shard? = nil) {
    (self.walk, self.list, self.shard) = (walk, list, shard)
  }

  /// Whether any file may occur twice; otherwise only files with several names and link targets may.
  package var repeats: Bool { list != nil || walk.roots.count > 1 || walk.links == .all }

  /// Whether the selection is a single path that is not a directory.
  package var isSingle: Bool { list == nil && walk.roots.count == 1 && !walk.recursive }

  package func makeIterator() -> Iterator { Iterator(self) }

  /// Returns the output paths of the files in a directory.
  package func tree(in directory: FilePath) -> OutputTree {
    OutputTree(
      directory: directory,
      roots: walk.roots,
      names: walk.names,
      takes: FileFormats(walk.names.formats).takes
    )
  }

  /// An iteration over the selection.
  package struct Iterator: IteratorProtocol, Sendable {
    private let selection: Selection
    private var walk: Walk.Iterator
    private var list: PathList.Iterator?
    private var directory = NamedDirectory()

    init(_ selection: Selection) {
      self.selection = selection
      walk = selection.walk.makeIterator()
      list = selection.list?.makeIterator()
    }

    package mutating func next() -> Walk.Item? {
      while let item = walk.next() ?? nextOfList() {
        if selection.takes(item) { return item }
      }
      return nil
    }

    /// Returns the next path of the list.
    private mutating func nextOfList() -> Walk.Item? {
      switch list?.next() {
      case nil: nil
      case .failure(let error): .failed(error)
      case .success(let path): selection.walk.item(listed: path, in: &directory)
      }
    }
  }

  private func takes(_ item: Walk.Item) -> Bool {
    switch item {
    case .file(let found), .candidate(let found):
      // The walk has filtered files of directories already.
      if found.root.isEmpty, !walk.filter.takes(found.path, below: found.root) { return false }
      // All links to a file belong to the same part.
      return shard?.contains(found.target ?? found.path) ?? true
    case .ignored(_, .temporary), .ignored(_, .output): return true
    case .ignored(let path, _): return shard?.contains(path) ?? true
    case .failed(let error): return shard?.contains(error.path) ?? true
    }
  }
}
