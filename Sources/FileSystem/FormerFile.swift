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
    if status.hasSameContent(as: identity) { return hasTellingStatus || isShown != false }
    guard content != nil else { return false }
    let named = try? Syscalls.status(name, in: directory, followingLinks: false)
    if let named, named.size == status.size, named.modificationTime == status.modificationTime {
      return true
    }
    return isShown != false
  }

  /// Whether each change of the file since it was read shows in its status: no program serves it, whose answers are remembered,
  /// and its times are so old that new ones differ.
  private var hasTellingStatus: Bool {
    content == nil || identity.isSettled() && !Syscalls.isServedByProgram(descriptor)
  }

  /// Whether the descriptor shows what was read; nil if it shows nothing.
  ///
  /// What other programs write on this machine under the same name is seen here first.
  private var isShown: Bool? {
    guard let content else { return nil }
    return (try? Syscalls.read(descriptor, at: 0, count: content.count + 1)).map { $0 == content }
  }

  /// Whether the file is unchanged under a second name of this status.
  func isUntouched(under name: FilePath, in directory: FileDescriptor) throws(Errno) -> Bool {
    let status = try Syscalls.status(name, in: directory, followingLinks: false)
    if hasTellingStatus, status.key == identity.key { return status.hasSameContent(as: identity) }
    guard isShown != false else { return false }
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking]
    let file = try Syscalls.open(name, in: directory, .readOnly, options: options)
    defer { Syscalls.close(file) }
    Syscalls.forgetCached(file)
    return isHeld(by: file, try Syscalls.status(file))
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
  var isOfOriginal: Bool {
    if key == original.identity.key { return true }
    guard let other, let status = try? Syscalls.status(other) else { return false }
    return original.isHeld(by: other, status)
  }

  /// Closes the file.
  func close() {
    if let other { Syscalls.close(other) }
  }
}
