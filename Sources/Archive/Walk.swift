package import SystemPackage

/// The files that a command's paths stand for, found one at a time.
///
/// A file that is named is taken whatever its name. Of a directory, the files named like JPEGs are
/// taken, depth first and sorted by the bytes of their names. Links to files are followed, links to
/// directories only if they are named as roots, so that no walk is endless. Memory grows with depth
/// and the size of directories, not with the number of files.
package struct Walk: Sequence, Sendable {
  /// The files and directories to visit, in this order.
  package var roots: [FilePath]
  /// Whether directories are entered; otherwise a directory among the roots is an error.
  package var recursive: Bool
  /// Whether directories whose names start with a dot are entered.
  ///
  /// Default: no.
  package var includesHidden: Bool
  /// A directory that is not entered, because the outputs go there.
  package var outputDirectory: FilePath?

  /// Creates a walk; nothing is read before the first item is asked for.
  package init(
    roots: [FilePath],
    recursive: Bool,
    includesHidden: Bool = false,
    outputDirectory: FilePath? = nil
  ) {
    self.roots = roots
    self.recursive = recursive
    self.includesHidden = includesHidden
    self.outputDirectory = outputDirectory
  }

  /// Something that the walk met.
  package enum Item: Hashable, Sendable {
    /// A file to process, and the root that led to it.
    case file(FilePath, root: FilePath)
    /// Something that was passed over.
    case skipped(FilePath, Reason)
    /// Something that could not be looked at; the walk goes on.
    case failed(FileError)
  }

  /// Why something was passed over; the raw values are stable identifiers.
  package enum Reason: String, CaseIterable, Sendable {
    /// A root that is the same file as an earlier one.
    case duplicate
    /// A directory whose name starts with a dot.
    case hidden
    /// A symbolic link to a directory.
    case linkedDirectory = "linked-directory"
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
  package static func selects(_ name: FilePath.Component) -> Bool {
    let name = name.bytes.suffix(5).map { $0 | 0x20 }
    return endings.contains { name.suffix($0.count).elementsEqual($0) }
  }

  // A lower-cased dot is a dot; the other bytes that become one are control characters.
  private static let endings = [".jpg", ".jpeg", ".jpe", ".jfif"].map { Array($0.utf8) }

  /// Starts the walk from its beginning.
  package func makeIterator() -> Iterator { Iterator(self) }
}
