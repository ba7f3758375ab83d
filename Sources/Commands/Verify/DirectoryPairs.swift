internal import FileSystem
internal import PhotoFiles
internal import Reports
internal import SystemPackage

/// The files of two directories with the same structure, in pairs.
struct DirectoryPairs: Sequence, Sendable {
  /// An original and its result.
  enum Pair: Sendable {
    case both(FilePath, FilePath)
    /// One of them is missing.
    case single(FilePath, FilePath, VerificationStatus)
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
      while let (item, isOriginal) = nextItem() {
        switch item {
        case .failed(let error): return .failed(error)
        // Most ignored results have the same names as ignored originals.
        case .ignored(_, let reason): if isOriginal { return .ignored(reason) }
        case .candidate(let found) where !pairs.formats.mayContain(found.path): continue
        case .file(let found), .candidate(let found):
          let path = found.path
          if isOriginal {
            let other = counterpart(of: path, from: pairs.original, to: pairs.result)
            compared.insert(other)
            return pair(path, other, unless: other, .missingFile)
          }
          if compared.contains(path) { continue }
          // The walk of the originals took nothing with this name, such as a directory.
          let other = counterpart(of: path, from: pairs.result, to: pairs.original)
          return pair(other, path, unless: other, .extraFile)
        }
      }
      return nil
    }

    private mutating func nextItem() -> (Walk.Item, isOriginal: Bool)? {
      if let item = originals.next() { return (item, true) }
      return results.next().map { ($0, false) }
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

  /// Returns a pair of which one file may be missing.
  private static func pair(
    _ original: FilePath,
    _ result: FilePath,
    unless path: FilePath,
    _ missing: VerificationStatus
  ) -> Pair {
    do throws(FileError) {
      _ = try FileIdentity(of: path)
      return .both(original, result)
    } catch {
      return error.problem == .notFound || error.problem == .notDirectory
        ? .single(original, result, missing) : .failed(error)
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
