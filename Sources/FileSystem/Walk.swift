package import SystemPackage

/// Finds the files that a command's paths select, one at a time.
///
/// A file that is named is taken whatever its name. In a directory, files are taken by the rule for names, and on
/// request all others as candidates, depth first and sorted by the bytes of their names. Memory grows with the
/// depth and the size of directories, not with the number of files.
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
  /// Whether links to files that the walk visits under their own names are skipped.
  ///
  /// Default: yes.
  package var meetsOnce: Bool
  /// The rule for names of photos.
  ///
  /// Default: those of JPEG files.
  package var names: NameRule
  /// The patterns of names.
  ///
  /// Default: all.
  package var filter: PathFilter
  /// The directory of the outputs, which is not entered.
  package var outputDirectory: FilePath?
  /// Whether directories of systems are entered, such as recycle bins and snapshots.
  ///
  /// Default: no.
  package var includesSystem = false

  /// Creates a walk; nothing is read before the first item is requested.
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

  /// An item of the walk.
  package enum Item: Hashable, Sendable {
    /// A file to process.
    case file(Found)
    /// A regular file that may be a photo although its name does not show it.
    case candidate(Found)
    /// A file or directory that was ignored.
    case ignored(FilePath, Reason)
    /// A file or directory that could not be read; the walk goes on.
    case failed(FileError)
  }

  /// A file, and what the walk knows about it.
  package struct Found: Hashable, Sendable {
    /// The file's path.
    package var path: FilePath { didSet { name = path.name } }
    /// The bytes of its name.
    package private(set) var name: [UInt8]
    /// The root that led to it; empty if there is none.
    package var root: FilePath
    /// The path without symbolic links; nil if no symbolic link in a directory led to it.
    package var target: FilePath?
    /// The directory that contains it; nil if the file was named.
    package var directory: FilePath?
    /// Whether the directory entry identifies it as a regular file.
    package var isRegular = false
    /// What else was in its directory when that was listed; nil if it was not.
    package var surroundings: Surroundings?

    package init(_ path: FilePath, root: FilePath) {
      self.init(path, named: path.name, root: root)
    }

    init(_ path: FilePath, named name: [UInt8], root: FilePath) {
      (self.path, self.name, self.root) = (path, name, root)
    }

    /// Whether the file itself was named, not a directory that contains it.
    package var isNamed: Bool { path == root }

    /// The extension of the name; nil if there is none.
    package var ending: String? {
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
      return String(decoding: name[(dot + 1)...], as: UTF8.self)
    }

    /// Whether the name ends with `.jpg`, as most do.
    package var hasJPEGName: Bool { NameRule.hasEnding(name, ".jpg") }
  }

  /// Why a file or directory was ignored; the raw values are stable identifiers.
  package enum Reason: String, CaseIterable, Sendable {
    /// A file that was visited before, or is visited under its own name.
    case duplicate
    /// A backup of a photo.
    case backup
    /// A video.
    case video
    /// An image whose name is that of a format that is not taken.
    case otherFormat = "other-format"
    /// A camera raw file, which is not taken.
    case raw
    /// A file that is not named like a photo.
    case otherName = "other-name"
    /// A directory whose name starts with a dot.
    case hidden
    /// A directory of the system, such as a recycle bin.
    case system
    /// A symbolic link to a directory that is not followed.
    case linkedDirectory = "linked-directory"
    /// A symbolic link to a file that is not followed.
    case linkedFile = "linked-file"
    /// The directory of the outputs.
    case output
    /// A temporary file of an interrupted run.
    case temporary
    /// A file that describes a photo beside it, and was named with others.
    case companion
    /// A companion file (`._NAME`) in which macOS keeps attributes.
    case appleDouble = "apple-double"
    /// A pipe, socket or device with the name of a JPEG.
    case special
  }

  /// Returns the item of a path in a list; the file need not exist.
  ///
  /// Its name is judged as in a directory, because a list usually contains all files that a program has found. One that is
  /// of no photo is a mistake in the list if there is no such file.
  package func item(listed path: FilePath, in directory: inout NamedDirectory) -> Item {
    let found = Found(path, root: "")
    if TemporaryName.matches(found.name) { return .ignored(path, .temporary) }
    switch item(found, names.verdict(found.name)) {
    case .file(var found)?:
      directory.describe(&found)
      return .file(found)
    case .candidate(var found)?:
      directory.describe(&found)
      return .candidate(found)
    case let other:
      let exists = (try? Syscalls.status(path, followingLinks: false)) != nil
      return exists ? other ?? .ignored(path, .otherName) : .file(found)
    }
  }

  /// Returns the item of a regular file, or nil if the walk does not report it.
  func item(_ found: Found, _ verdict: NameRule.Verdict) -> Item? {
    if Self.isAppleDouble(found.name) {
      return verdict == .taken ? .ignored(found.path, .appleDouble) : nil
    }
    return switch verdict {
    case .taken: .file(found)
    case .candidate: .candidate(found)
    case .backup: .ignored(found.path, .backup)
    case .video: .ignored(found.path, .video)
    case .otherFormat where names.takes(found.path, named: verdict),
      .raw where names.takes(found.path, named: verdict):
      .file(found)
    case .raw: names.distinguishesFormats ? .ignored(found.path, .raw) : nil
    case .otherFormat: names.distinguishesFormats ? .ignored(found.path, .otherFormat) : nil
    case .other: nil
    }
  }

  /// Returns why a directory with this name is not entered, or nil; one that is named is.
  func reasonToIgnore(directory name: [UInt8]) -> Reason? {
    if SystemDirectory.has(name: name) { return includesSystem ? nil : .system }
    return !includesHidden && name.first == UInt8(ascii: ".") ? .hidden : nil
  }

  /// Whether a name is that of a companion file of macOS.
  static func isAppleDouble(_ name: [UInt8]) -> Bool { name.starts(with: "._".utf8) }

  /// Starts the walk from its beginning.
  package func makeIterator() -> Iterator { Iterator(self) }
}
