import SystemPackage

/// Who may do what with a file: its mode and its access control lists.
package struct AccessRights: Sendable {
  /// The names of attributes that are access control lists: of POSIX, and of NFS 4.
  ///
  /// A file that has one shows its mask in its mode, where other files have the rights of the group.
  private static let listNames = [posixList, Array("system.nfs4_acl".utf8)]
  private static let posixList = Array("system.posix_acl_access".utf8)

  /// The file.
  package let identity: FileIdentity
  private let lists: [ExtendedAttribute]

  /// Reads the rights of an open file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - identity: What is known about it.
  ///   - names: The names of its extended attributes, where these are known.
  /// - Throws: The system's error.
  init(
    of file: FileDescriptor,
    _ identity: FileIdentity,
    names: [[UInt8]]? = nil
  ) throws(Errno) {
    self.identity = identity
    var lists: [ExtendedAttribute] = []
    let names = if let names { names } else { try ExtendedAttribute.names(of: file) }
    for name in names where Self.isList(name) {
      lists.append(.init(name: name, value: try Syscalls.attribute(name, of: file)))
    }
    self.lists = lists
  }

  /// Whether an attribute is an access control list.
  static func isList(_ name: [UInt8]) -> Bool { listNames.contains(name) }

  /// Gives a new file these rights, or fewer: never one that somebody does not have here.
  ///
  /// - Parameters:
  ///   - file: The new file.
  ///   - mask: The bits of the mode that it may get.
  /// - Returns: The lists that it could not be given.
  /// - Throws: The system's error.
  func give(to file: FileDescriptor, mask: UInt16) throws(Errno) -> [LostAttribute] {
    // The directory may have given the new file a list that the original has not.
    if !lists.contains(where: { $0.name == Self.posixList }),
      try ExtendedAttribute.names(of: file).contains(Self.posixList)
    {
      try Syscalls.removeAttribute(Self.posixList, of: file)
    }
    var lost: [ExtendedAttribute] = []
    for list in lists where try !list.set(on: file) { lost.append(list) }
    let now = try Syscalls.status(file)
    var mode = UInt16(identity.permissions) & mask
    if now.user != identity.user { mode &= ~0o4000 }
    if now.group != identity.group { mode &= ~0o2000 }
    if now.group != identity.group || !lost.isEmpty {
      mode = mode & ~0o77 | mode & least(lost) * 0o11
    }
    try Syscalls.changeMode(file, .init(mode))
    return lost.map { .extendedAttribute($0.name) }
  }

  /// What everybody but the owner has, as three bits.
  private func least(_ lost: [ExtendedAttribute]) -> UInt16 {
    let mode = UInt16(identity.permissions)
    let (group, other) = (mode >> 3 & 0o7, mode & 0o7)
    return lost.filter { $0.name == Self.posixList }
      .reduce(group & other) { $0 & Self.least(inList: $1.value) }
  }

  /// What every entry of a POSIX list gives, but those of the owner and the mask.
  private static func least(inList list: [UInt8]) -> UInt16 {
    let (header, entry) = (4, 8)
    guard list.first == 2 else { return 0o7 }
    return stride(from: header, through: list.count - entry, by: entry).reduce(0o7) {
      least,
      start in
      let (owner, mask): (UInt8, UInt8) = (0x01, 0x10)
      return [owner, mask].contains(list[start]) ? least : least & UInt16(list[start + 2])
    }
  }
}

/// An extended attribute of a file.
struct ExtendedAttribute: Sendable {
  /// The name's exact bytes, which need not be UTF-8.
  let name: [UInt8]
  let value: [UInt8]

  /// The names of a file's attributes; none where the file system has no attributes.
  static func names(of file: FileDescriptor) throws(Errno) -> [[UInt8]] {
    do throws(Errno) {
      return try Syscalls.listAttributes(file)
    } catch .notSupported {
      return []
    }
  }

  /// Sets the attribute.
  ///
  /// - Returns: Whether the file has it; not where only the system may set it.
  func set(on file: FileDescriptor) throws(Errno) -> Bool {
    if let present = try? Syscalls.attribute(name, of: file), present == value { return true }
    do throws(Errno) {
      try Syscalls.setAttribute(name, of: file, to: value)
      return true
    } catch .notPermitted, .permissionDenied, .notSupported {
      return false
    }
  }
}
