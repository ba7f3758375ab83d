import SystemPackage

/// The access rights of a file: its mode and its access control lists.
package struct AccessRights: Sendable {
  /// The names of the attributes that are access control lists: POSIX and NFSv4.
  ///
  /// In the mode of a file with such a list, the group bits are the list's mask.
  private static let listNames = [posixList, Array("system.nfs4_acl".utf8)]
  private static let posixList = Array("system.posix_acl_access".utf8)

  /// The file.
  package let identity: FileIdentity
  /// The path of the file, if it is known.
  let path: FilePath?
  private let lists: [ExtendedAttribute]

  /// Reads the rights of an open file.
  ///
  /// - Throws: The system's error.
  init(
    of file: FileDescriptor,
    _ identity: FileIdentity,
    at path: FilePath? = nil,
    names: [[UInt8]]? = nil
  ) throws(Errno) {
    self.identity = identity
    self.path = path
    var lists: [ExtendedAttribute] = []
    let names = if let names { names } else { try ExtendedAttribute.names(of: file) }
    for name in names where Self.isList(name) {
      lists.append(.init(name: name, value: try Syscalls.attribute(name, of: file)))
    }
    self.lists = lists
  }

  /// Whether an attribute is an access control list.
  static func isList(_ name: [UInt8]) -> Bool { listNames.contains(name) }

  /// Gives a new file these rights or fewer, and never a right that someone does not have here.
  ///
  /// - Returns: The lists that could not be set, and the mode if the mount decides it.
  /// - Throws: The system's error.
  func give(to file: FileDescriptor, mask: UInt16) throws(Errno) -> [LostAttribute] {
    // The new file may have inherited a list from the directory.
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
    // A new file is readable for its owner only, unless the mount decides.
    let mountShows = lists.isEmpty && UInt16(now.permissions) & ~mode & 0o44 != 0
    return lost.map { .extendedAttribute($0.name) } + (mountShows ? [.mode] : [])
  }

  /// Returns the rights that everybody but the owner has, as three bits.
  private func least(_ lost: [ExtendedAttribute]) -> UInt16 {
    let mode = UInt16(identity.permissions)
    let (group, other) = (mode >> 3 & 0o7, mode & 0o7)
    return lost.filter { $0.name == Self.posixList }
      .reduce(group & other) { $0 & Self.least(inList: $1.value) }
  }

  /// Returns the rights that every entry of a POSIX list grants, except those of the owner and the mask.
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
  /// The exact bytes of the name, which need not be UTF-8.
  let name: [UInt8]
  let value: [UInt8]

  /// Returns the names of a file's attributes; none if the file system does not support them.
  static func names(of file: FileDescriptor) throws(Errno) -> [[UInt8]] {
    do throws(Errno) {
      return try Syscalls.listAttributes(file)
    } catch {
      let isMissing = [.notSupported, .noFunction].contains(error)
      guard isMissing || error == .ioError && Syscalls.isServedByProgram(file) else { throw error }
      return []
    }
  }

  /// Sets the attribute.
  ///
  /// - Returns: Whether the file has it; false if only the system may set it.
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
