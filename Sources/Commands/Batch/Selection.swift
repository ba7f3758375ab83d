internal import FileSystem
internal import SystemPackage

/// The files that a command works on: those of the walk, then those of the list.
struct Selection: Sequence, Sendable {
  var walk: Walk
  /// Paths that are read from a file or standard input.
  var list: PathList?
  /// The part of the files that this process works on.
  var shard: Shard?

  /// Whether any file may be met twice; otherwise only those with several names and those that links lead to.
  var repeats: Bool { list != nil || walk.roots.count > 1 || walk.links == .all }

  /// Whether one path is all that there is to walk, and no directory.
  var isSingle: Bool { list == nil && walk.roots.count == 1 && !walk.recursive }

  func makeIterator() -> Iterator { Iterator(self) }

  /// Where the outputs of the files go in a directory.
  func tree(in directory: FilePath) -> OutputTree {
    OutputTree(directory: directory, roots: walk.roots, names: walk.names)
  }

  /// A selection under way.
  struct Iterator: IteratorProtocol, Sendable {
    private let selection: Selection
    private var walk: Walk.Iterator
    private var list: PathList.Iterator?

    init(_ selection: Selection) {
      self.selection = selection
      walk = selection.walk.makeIterator()
      list = selection.list?.makeIterator()
    }

    mutating func next() -> Walk.Item? {
      while let item = walk.next() ?? nextOfList() {
        if selection.takes(item) { return item }
      }
      return nil
    }

    /// The next path of the list.
    private mutating func nextOfList() -> Walk.Item? {
      switch list?.next() {
      case nil: nil
      case .failure(let error): .failed(error)
      case .success(let path): selection.walk.item(listed: path)
      }
    }
  }

  private func takes(_ item: Walk.Item) -> Bool {
    switch item {
    case .file(let found), .candidate(let found):
      // Those of directories the walk has looked at already.
      if found.root.isEmpty, !walk.filter.takes(found.path, below: found.root) { return false }
      // Links to one file belong to one part.
      return shard?.contains(found.target ?? found.path) ?? true
    case .ignored(_, .temporary), .ignored(_, .output): return true
    case .ignored(let path, _): return shard?.contains(path) ?? true
    case .failed(let error): return shard?.contains(error.path) ?? true
    }
  }
}
