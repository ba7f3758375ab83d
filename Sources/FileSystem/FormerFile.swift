import SystemPackage

/// The file that is to be replaced: what was read of it, and how that is found again.
///
/// A file is the one that was read if it has the same status. Some file systems give each name an inode number of its own,
/// or report times that settle later. There, a file with another status is the same one if it has the same content, owner,
/// group and mode.
struct FormerFile: Sendable {
  /// The file, open for reading.
  let descriptor: FileDescriptor
  /// The version that was read, or the last one with the same content.
  var identity: FileIdentity
  /// What was read; nil if only the status decides.
  let content: [UInt8]?

  /// Whether a file of this status, which is open, has the content that was read.
  func hasContent(of file: FileDescriptor, _ status: FileIdentity) -> Bool {
    guard let content, status.kind == .regular, status.size == content.count else { return false }
    return (try? Syscalls.read(file, at: 0, count: content.count)) == content
  }

  /// Whether such a file also has the owner, the group and the mode of the original.
  func isHeld(by file: FileDescriptor, _ status: FileIdentity) -> Bool {
    status.mode == identity.mode && status.user == identity.user && status.group == identity.group
      && hasContent(of: file, status)
  }

  /// Whether the file is unchanged now that another has its name, as far as its descriptor shows.
  ///
  /// On some file systems the descriptor shows that other file, or nothing.
  func isUntouched(afterLosing name: FilePath, in directory: FileDescriptor) -> Bool {
    guard let status = try? Syscalls.status(descriptor) else { return true }
    if status.hasSameContent(as: identity) { return true }
    guard content != nil else { return false }
    let named = try? Syscalls.status(name, in: directory, followingLinks: false)
    if let named, named.size == status.size, named.modificationTime == status.modificationTime {
      return true
    }
    guard let bytes = try? Syscalls.read(descriptor, at: 0, count: status.size) else { return true }
    return bytes == content
  }
}

/// A second name of a file that is replaced.
struct SecondName: Sendable {
  /// The number of the file under this name.
  let key: FileIdentity.Key
  private let original: FormerFile
  /// The file, open and locked, if it has another number under this name; nil if that failed.
  private let other: FileDescriptor?

  /// Examines a name that was just linked.
  init(_ name: FilePath, in directory: FileDescriptor, of original: FormerFile) {
    self.original = original
    let named = try? Syscalls.status(name, in: directory, followingLinks: false)
    key = named?.key ?? original.identity.key
    guard key != original.identity.key else {
      other = nil
      return
    }
    other = try? Syscalls.open(name, in: directory, .readOnly, options: [.noFollow, .nonBlocking])
    // Another run must not take it for abandoned.
    if let other { try? Syscalls.lock(other) }
  }

  /// Whether the file under this name may be the one that was read: it has its number or its content.
  var isOfOriginal: Bool { key == original.identity.key || isUnchanged }

  /// Whether the file under this name has what was read, by its content.
  var isUnchanged: Bool {
    let file = key == original.identity.key ? original.descriptor : other
    guard let file, let status = try? Syscalls.status(file) else { return false }
    return original.isHeld(by: file, status)
  }

  /// Closes the file.
  func close() {
    if let other { Syscalls.close(other) }
  }
}
