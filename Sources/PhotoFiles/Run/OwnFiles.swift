internal import FileSystem
package import Records
package import SystemPackage
package import Upright

/// The files that a run writes besides its results, such as a record and a journal.
///
/// Each must differ from all other files of the run, whatever its name, because what is written to it would end up in the other
/// file.
package struct OwnFiles {
  /// What one of them is as well.
  package enum Role: Sendable {
    case own(name: String)
    case output, input, sidecar
  }

  /// The error that one of them is another file of the run, too.
  package struct Conflict: Error {
    /// The name of the file, such as the option that names it.
    package let name: String
    package let path: FilePath
    package let role: Role
  }

  private var names: [Place: String] = [:]

  /// Creates the set of some files.
  ///
  /// - Throws: ``Conflict``, if two of them are one.
  package init(_ files: [(name: String, path: FilePath)]) throws(Conflict) {
    for (name, path) in files {
      guard let place = Place(path) else { continue }
      if let other = names.updateValue(name, forKey: place) {
        throw Conflict(name: other, path: path, role: .own(name: name))
      }
    }
  }

  /// Compares them with what a run reads and writes.
  ///
  /// - Parameters:
  ///   - inputs: The files and directories that it reads.
  ///   - output: The file that it writes; nil in place.
  ///   - takesSidecars: Whether it writes the sidecars of these, too.
  /// - Throws: ``Conflict``.
  package func check(
    inputs: [FilePath],
    output: FilePath? = nil,
    takesSidecars: Bool = false
  ) throws(Conflict) {
    guard !names.isEmpty else { return }
    if let output { try check(output, .output) }
    for input in inputs { try check(input, .input) }
    if takesSidecars { try checkSidecars(of: inputs + [output].compactMap { $0 }) }
  }

  private func checkSidecars(of photos: [FilePath]) throws(Conflict) {
    for photo in photos {
      for sidecar in PhotoGroup.sidecarPaths(of: Walk.Found(photo, root: photo)) {
        try check(sidecar, .sidecar)
      }
    }
  }

  private func check(_ path: FilePath, _ role: Role) throws(Conflict) {
    guard let name = Place(path).flatMap({ names[$0] }) else { return }
    throw Conflict(name: name, path: path, role: role)
  }

  /// A file, or the path of one that does not exist yet.
  private enum Place: Hashable {
    case file(FileIdentity.Key)
    case name(FilePath.Component, in: FileIdentity.Key)

    init?(_ path: FilePath) {
      let path = path.asListedThroughout
      if let status = path.status {
        self = .file(status.key)
        return
      }
      let directory = path.removingLastComponent()
      guard let name = path.lastComponent,
        let status = (directory.isEmpty ? "." : directory).status
      else { return nil }
      self = .name(name, in: status.key)
    }
  }
}

extension OwnFiles {
  /// Checks that a record is no file that the work on a photo, or on a folder, writes: that would end all undo.
  ///
  /// - Throws: `UprightError` of code `argument`.
  package static func check(
    record: RecordedPath?,
    of path: RecordedPath?,
    to output: RecordedPath?
  ) throws(UprightError) {
    guard let record else { return }
    do throws(Conflict) {
      // Of the photo itself, who opens the record says that it is none.
      let files = try OwnFiles([("record", record.path)])
      try files.check(inputs: [], output: output?.path)
      try files.checkSidecars(of: [path, output].compactMap { $0?.path })
    } catch {
      let message = "the record is also the output or a sidecar: choose a different file"
      throw UprightError(.argument, message)
    }
  }
}
