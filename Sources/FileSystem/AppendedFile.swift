internal import Synchronization
package import SystemPackage

/// A file of lines that is only appended to, with each line on the disk before the next step if requested.
///
/// A program that replaces such a file takes an exclusive lock (`flock`); this type holds a shared one. Lines of several
/// threads are not mixed. A partial line, from a killed run or a full disk, is terminated before
/// the next line; readers ignore empty lines. A new file is readable only by its owner, because it describes
/// photos that may be private.
package final class AppendedFile: Sendable {
  private let path: FilePath
  private let descriptor: FileDescriptor
  private let maxLine: Int
  private let key: FileIdentity.Key
  private let heading: [UInt8]
  private let state: Mutex<State>

  private struct State {
    /// Whether the heading is in the file.
    var hasHeading: Bool
  }

  /// Opens a file for appending, or creates it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - first: The bytes that every such file starts with, so that no other file is appended to.
  ///   - writesBeginning: Whether those bytes are written here if they are missing or incomplete; otherwise the
  ///     first line contains them.
  ///   - heading: A line that is written before the first one that needs it, unless the file starts with it.
  ///   - maxLine: The maximum length of a line in bytes.
  /// - Throws: ``FileError``.
  package init(
    _ path: FilePath,
    beginning first: [UInt8],
    writesBeginning: Bool = false,
    heading: [UInt8] = [],
    maxLine: Int = .max
  ) throws(FileError) {
    self.path = path
    self.maxLine = maxLine
    let (descriptor, isNew) = try FileError.attributing(path, .append) { () throws(Errno) in
      try Self.open(path)
    }
    self.descriptor = descriptor
    let identity = try FileError.attributing(path, .append) { () throws(Errno) in
      try Syscalls.status(descriptor)
    }
    if let problem = identity.kind.problem { throw FileError(path, .append, problem) }
    key = identity.key
    if Syscalls.isLockedExclusively(descriptor) { throw FileError(path, .append, .locked) }
    let start = try FileError.attributing(path, .append) { () throws(Errno) in
      try Self.beginning(of: descriptor, count: max(first.count, heading.count))
    }
    self.heading = heading
    state = Mutex(State(hasHeading: start == heading))
    guard first.starts(with: start.prefix(first.count)) else {
      throw FileError(path, .append, .notRecord)
    }
    try FileError.attributing(path, .append) { () throws(Errno) in
      // A run that was killed may have created the file, and not synced its name.
      if isNew || start.isEmpty { try OpenDirectory(path.removingLastComponent()).sync() }
      if writesBeginning { try Syscalls.write(Array(first.dropFirst(start.count)), to: descriptor) }
    }
  }

  deinit { Syscalls.close(descriptor) }

  /// Appends a line.
  ///
  /// - Parameters:
  ///   - line: The line with its line end.
  ///   - needsHeading: Whether the heading must come before it.
  ///   - waits: Whether to wait until it is on the disk.
  /// - Throws: ``FileError``, also if the path is no longer that of the file; a part of the line may have been written.
  package func append(
    _ line: [UInt8],
    needsHeading: Bool = false,
    waits: Bool = true
  ) throws(FileError) {
    guard line.count <= maxLine else { throw FileError(path, .append, .tooLarge) }
    try FileError.attributing(path, .append) { () throws(Errno) in
      try state.withLock { (state) throws(Errno) in
        // Another process may have been killed within its line.
        let separator = try endsWithinLine() ? [Self.lineEnd] : []
        let writesHeading = needsHeading && !state.hasHeading
        try Syscalls.write(separator + (writesHeading ? heading : []) + line, to: descriptor)
        if writesHeading { state.hasHeading = true }
      }
      if waits { try Syscalls.sync(descriptor) }
    }
    try checkName(line)
  }

  /// Checks that the path is still that of the file.
  ///
  /// A line in a file that was removed would be lost when the run ends. Some file systems give a file another number
  /// while it is open; there, the file at the path is the same one if it has the line.
  private func checkName(_ line: [UInt8]) throws(FileError) {
    do throws(Errno) {
      if try Syscalls.status(path, followingLinks: true).key == key { return }
      if try Self.hasAtEnd(path, line) { return }
    } catch {
      guard error == .noSuchFileOrDirectory else { throw FileError(path, .append, system: error) }
    }
    throw FileError(path, .append, .replaced)
  }

  private static let lineEnd = UInt8(ascii: "\n")
  private static let chunk = 1 << 16

  private static func hasAtEnd(_ path: FilePath, _ line: [UInt8]) throws(Errno) -> Bool {
    let (file, status) = try Syscalls.identified(
      Syscalls.open(path, .readOnly, options: .nonBlocking)
    )
    defer { Syscalls.close(file) }
    guard status.kind == .regular, status.size >= line.count else { return false }
    // Another run may have appended lines of its own meanwhile.
    let start = max(0, status.size - line.count - chunk)
    let end = try Syscalls.read(file, at: start, count: status.size - start)
    return line.count <= end.count
      && (0...(end.count - line.count)).reversed().contains {
        end[$0] == line[0] && end[$0..<$0 + line.count].elementsEqual(line)
      }
  }

  private func endsWithinLine() throws(Errno) -> Bool {
    let size = try Syscalls.status(descriptor).size
    guard size > 0 else { return false }
    return try Syscalls.read(descriptor, at: size - 1, count: 1) != [Self.lineEnd]
  }

  /// Returns the first bytes after empty lines; fewer at the end of the file.
  private static func beginning(
    of file: FileDescriptor,
    count: Int
  ) throws(Errno) -> [UInt8] {
    var offset = 0
    while true {
      let bytes = try Syscalls.read(file, at: offset, count: chunk)
      if let start = bytes.firstIndex(where: { $0 != lineEnd }) {
        return try Syscalls.read(file, at: offset + start, count: count)
      }
      if bytes.isEmpty { return [] }
      offset += bytes.count
    }
  }

  private static func open(_ path: FilePath) throws(Errno) -> (FileDescriptor, isNew: Bool) {
    do throws(Errno) {
      let options: FileDescriptor.OpenOptions = [.append, .create, .exclusiveCreate]
      return (try Syscalls.open(path, .readWrite, options: options, permissions: 0o600), true)
    } catch .fileExists {
      let options: FileDescriptor.OpenOptions = [.append, .nonBlocking]
      return (try Syscalls.open(path, .readWrite, options: options), false)
    }
  }
}

/// Returns the absolute path of the working directory.
///
/// - Throws: ``FileError``, if it was removed.
package func workingDirectory() throws(FileError) -> FilePath {
  try FileError.attributing(".", .open) { () throws(Errno) in try Syscalls.resolve(".") }
}
