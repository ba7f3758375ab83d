package import SystemPackage

/// The files that a command's paths stand for, found one at a time.
///
/// A file that is named is taken whatever its name. Of a directory, the files that a rule for names takes are
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
  /// Whether links to files that the walk meets under their own names are passed over.
  ///
  /// Default: yes.
  package var meetsOnce: Bool
  /// Which names of files are those of photographs.
  ///
  /// Default: those of JPEG files.
  package var names: NameRule
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
    meetsOnce: Bool = true,
    names: NameRule = NameRule(),
    filter: PathFilter = PathFilter(),
    outputDirectory: FilePath? = nil
  ) {
    self.roots = roots
    self.recursive = recursive
    self.includesHidden = includesHidden
    self.links = links
    self.meetsOnce = meetsOnce
    self.names = names
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
    /// A regular file that may be a photograph, although its name does not tell.
    case candidate(Found)
    /// Something that was passed over.
    case ignored(FilePath, Reason)
    /// Something that could not be looked at; the walk goes on.
    case failed(FileError)
  }

  /// A file, and what was learnt on the way to it.
  package struct Found: Hashable, Sendable {
    /// The file's path.
    package var path: FilePath
    /// The root that led to it; empty where none did.
    package var root: FilePath
    /// The file itself, without symbolic links; nil where no symbolic link in a directory led to it.
    package var target: FilePath?
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
    /// A file that was met before, or is met under its own name.
    case duplicate
    /// A backup of a photograph.
    case backup
    /// A file that is not named like a photograph.
    case otherName = "other-name"
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

  /// What a path of a list stands for; it need not be there.
  ///
  /// Its name is judged as in a directory: a list is mostly one of all files that a program has found.
  package func item(listed path: FilePath) -> Item {
    let name = path.lastComponent?.bytes ?? []
    if TemporaryName.matches(name) { return .ignored(path, .temporary) }
    return Self.item(Found(path, root: ""), name: name, names.verdict(name))
      ?? .ignored(path, .otherName)
  }

  /// What a regular file is to the walk; nil where it is nothing.
  static func item(_ found: Found, name: [UInt8], _ verdict: NameRule.Verdict) -> Item? {
    if isAppleDouble(name) { return verdict == .taken ? .ignored(found.path, .appleDouble) : nil }
    return switch verdict {
    case .taken: .file(found)
    case .candidate: .candidate(found)
    case .backup: .ignored(found.path, .backup)
    case .other: nil
    }
  }

  /// Whether a name is that of a companion in which macOS keeps attributes.
  static func isAppleDouble(_ name: [UInt8]) -> Bool { name.starts(with: "._".utf8) }

  /// Starts the walk from its beginning.
  package func makeIterator() -> Iterator { Iterator(self) }
}
