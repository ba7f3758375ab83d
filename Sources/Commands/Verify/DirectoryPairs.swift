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
    /// A file or directory of one of them that is not compared.
    case ignored(Walk.Reason)
  }

  let original: FilePath
  let result: FilePath
  /// The formats of the files that are compared.
  let formats: FileFormats
  let allNames: Bool

  func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over the originals, then over the results that were not compared with one.
  struct Iterator: IteratorProtocol, Sendable {
    private let pairs: DirectoryPairs
    private var originals: Walk.Iterator
    private var results: Walk.Iterator
    /// The results that were compared.
    private var compared: Set<FilePath> = []

    init(_ pairs: DirectoryPairs) {
      self.pairs = pairs
      let (formats, allNames) = (pairs.formats, pairs.allNames)
      originals = Walk(comparing: pairs.original, formats, allNames: allNames).makeIterator()
      results = Walk(comparing: pairs.result, formats, allNames: allNames).makeIterator()
    }

    mutating func next() -> Pair? {
      while let item = originals.next() {
        switch item {
        case .failed(let error): return .failed(error)
        case .ignored(_, let reason): return .ignored(reason)
        case .candidate(let found) where !pairs.formats.mayContain(found.path): continue
        case .file(let found), .candidate(let found):
          let other = counterpart(of: found.path, from: pairs.original, to: pairs.result)
          compared.insert(other)
          return pair(.both(found.path, other), unless: other, .missing(found.path, other))
        }
      }
      while let item = results.next() {
        switch item {
        case .failed(let error): return .failed(error)
        // Most have the same names as ignored originals.
        case .ignored: continue
        case .candidate(let found) where !pairs.formats.mayContain(found.path): continue
        case .file(let found), .candidate(let found):
          if compared.contains(found.path) { continue }
          // The walk of the originals took nothing with this name, such as a directory.
          let other = counterpart(of: found.path, from: pairs.result, to: pairs.original)
          return pair(.both(other, found.path), unless: other, .extra(other, found.path))
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

  /// Returns a pair, or another one if a file does not exist.
  private static func pair(_ pair: Pair, unless path: FilePath, _ missing: Pair) -> Pair {
    do throws(FileError) {
      _ = try FileIdentity(of: path)
      return pair
    } catch {
      return error.problem == .notFound || error.problem == .notDirectory
        ? missing : .failed(error)
    }
  }
}

extension Walk {
  /// Creates a walk of a directory in which each name, a link included, has a counterpart.
  init(comparing root: FilePath, _ formats: FileFormats, allNames: Bool) {
    var names = NameRule(formats: formats.formats, allNames: allNames)
    names.distinguishesFormats = true
    self.init(roots: [root], recursive: true, meetsOnce: false, names: names)
  }
}
