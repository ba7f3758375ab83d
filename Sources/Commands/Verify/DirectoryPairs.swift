internal import FileSystem
internal import SystemPackage

/// The files of two directories with the same structure, in pairs.
struct DirectoryPairs: Sequence, Sendable {
  /// An original and its result.
  enum Pair: Sendable {
    case both(FilePath, FilePath)
    /// The result is missing.
    case missing(FilePath, FilePath)
    /// The original is missing.
    case extra(FilePath, FilePath)
    case failed(FileError)
  }

  let original: FilePath
  let result: FilePath
  let allNames: Bool

  /// Returns a walk of a directory in which each name, a link included, has a counterpart.
  static func walk(_ root: FilePath, allNames: Bool) -> Walk {
    Walk(roots: [root], recursive: true, meetsOnce: false, names: NameRule(allNames: allNames))
  }

  func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over the originals, then over the results without an original.
  struct Iterator: IteratorProtocol, Sendable {
    private let pairs: DirectoryPairs
    private var originals: Walk.Iterator
    private var results: Walk.Iterator

    init(_ pairs: DirectoryPairs) {
      self.pairs = pairs
      originals = walk(pairs.original, allNames: pairs.allNames).makeIterator()
      results = walk(pairs.result, allNames: pairs.allNames).makeIterator()
    }

    mutating func next() -> Pair? {
      let (original, result) = (pairs.original, pairs.result)
      while let item = originals.next() {
        switch item {
        case .failed(let error): return .failed(error)
        case .ignored: continue
        case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): continue
        case .file(let found), .candidate(let found):
          let other = counterpart(of: found.path, from: original, to: result)
          return exists(other) ? .both(found.path, other) : .missing(found.path, other)
        }
      }
      while let item = results.next() {
        switch item {
        case .failed(let error): return .failed(error)
        case .ignored: continue
        case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): continue
        case .file(let found), .candidate(let found):
          let other = counterpart(of: found.path, from: result, to: original)
          if !exists(other) { return .extra(other, found.path) }
        }
      }
      return nil
    }
  }

  private static func counterpart(
    of path: FilePath,
    from root: FilePath,
    to other: FilePath
  ) -> FilePath {
    var relative = path
    _ = relative.removePrefix(root)
    return other.appending(relative.components)
  }

  private static func exists(_ path: FilePath) -> Bool {
    (try? Syscalls.status(path, followingLinks: true)) != nil
  }
}
