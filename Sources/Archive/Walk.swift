package import SystemPackage

/// The files that a command's paths stand for, found one at a time.
///
/// A file that is named is taken whatever its name. Of a directory, the files named like JPEGs are
/// taken, and on demand all others as candidates, depth first and sorted by the bytes of their names.
/// Memory grows with depth and the size of directories, not with the number of files.
package struct Walk: Sequence, Sendable {
  /// The files and directories to visit, in this order.
  package var roots: [FilePath]
  /// Whether directories are entered; otherwise a directory among the roots is an error.
  package var recursive: Bool
  /// Whether directories whose names start with a dot are entered.
  ///
  /// Default: no.
  package var includesHidden: Bool
  /// Which symbolic links in directories are followed; roots always are.
  ///
  /// Default: those to files.
  package var links: LinkPolicy
  /// Whether files that are not named like JPEGs are reported as candidates.
  ///
  /// Default: no.
  package var findsCandidates: Bool
  /// Which names are taken.
  ///
  /// Default: all.
  package var filter: PathFilter
  /// A directory that is not entered, because the outputs go there.
  package var outputDirectory: FilePath?

  /// Creates a walk; nothing is read before the first item is asked for.
  package init(
    roots: [FilePath],
    recursive: Bool,
    includesHidden: Bool = false,
    links: LinkPolicy = .files,
    findsCandidates: Bool = false,
    filter: PathFilter = PathFilter(),
    outputDirectory: FilePath? = nil
  ) {
    self.roots = roots
    self.recursive = recursive
    self.includesHidden = includesHidden
    self.links = links
    self.findsCandidates = findsCandidates
    self.filter = filter
    self.outputDirectory = outputDirectory
  }

  /// Which symbolic links in directories are followed.
  package enum LinkPolicy: String, CaseIterable, Sendable {
    /// None.
    case none
    /// Those to files.
    case files
    /// Those to directories, too, unless they lead back into a directory that the walk is in.
    case all
  }

  /// Something that the walk met.
  package enum Item: Hashable, Sendable {
    /// A file to process.
    case file(Found)
    /// A regular file that may be a JPEG, although its name does not say so.
    case candidate(Found)
    /// Something that was passed over.
    case skipped(FilePath, Reason)
    /// Something that could not be looked at; the walk goes on.
    case failed(FileError)
  }

  /// A file, and what was learnt on the way to it.
  package struct Found: Hashable, Sendable {
    /// The file's path.
    package var path: FilePath
    /// The root that led to it; empty where none did.
    package var root: FilePath
    /// The directory that listed it; nil where nothing was listed.
    package var directory: FilePath?
    /// Whether the directory says that it is a regular file.
    package var isRegular = false
    /// Whether there may be XMP files beside it.
    package var mayHaveSidecar = true

    package init(_ path: FilePath, root: FilePath) {
      self.path = path
      self.root = root
    }

    /// Whether the file itself was named, not a directory that it is in.
    package var isNamed: Bool { path == root }
  }

  /// Why something was passed over; the raw values are stable identifiers.
  package enum Reason: String, CaseIterable, Sendable {
    /// A root that is the same file as an earlier one.
    case duplicate
    /// A directory whose name starts with a dot.
    case hidden
    /// A symbolic link to a directory that is not followed.
    case linkedDirectory = "linked-directory"
    /// A symbolic link to a file that is not followed.
    case linkedFile = "linked-file"
    /// The directory of the outputs.
    case output
    /// A temporary file that an interrupted run left behind.
    case temporary
    /// A companion (`._NAME`) in which macOS keeps attributes, and not a photograph.
    case appleDouble = "apple-double"
    /// A pipe, socket or device with the name of a JPEG.
    case special
  }

  /// Whether a file in a directory is taken for a JPEG by its name.
  package static func selects(_ path: FilePath) -> Bool { selects(path.bytes) }

  /// The same of a name or path in bytes.
  static func selects(_ name: [UInt8]) -> Bool {
    hasEnding(name, ".jpg") || hasEnding(name, ".jpeg") || hasEnding(name, ".jpe")
      || hasEnding(name, ".jfif")
  }

  /// Whether a name has an ending, in capitals or not.
  static func hasEnding(_ name: [UInt8], _ ending: StaticString) -> Bool {
    let start = name.count - ending.utf8CodeUnitCount
    guard start >= 0 else { return false }
    return ending.withUTF8Buffer { ending in
      for index in ending.indices {
        let byte = name[start + index]
        // A full stop has no capital, and of the bytes that differ in this bit only capitals become letters.
        guard unsafe byte == ending[index] || byte | 0x20 == ending[index] && byte >= 0x40 else {
          return false
        }
      }
      return true
    }
  }

  /// Starts the walk from its beginning.
  package func makeIterator() -> Iterator { Iterator(self) }
}
