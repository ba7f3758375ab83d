import SystemPackage

/// Something about a file that its replacement could not be given.
package enum LostAttribute: Hashable, Sendable {
  /// The owner: the process may not give files away.
  case owner
  /// The group: the process does not belong to it.
  case group
  /// An extended attribute that only the system may set.
  case extendedAttribute(String)
}

/// Gives one file the owner, mode, ACLs and extended attributes of another (specification, section 7).
struct AttributeCopy {
  private static let accessList = "system.posix_acl_access"

  /// Attributes that vouch for the content, and would be wrong for another content; the system
  /// sets them itself.
  private static let aboutContent: Set<String> = ["security.ima", "security.evm"]

  let source: FileDescriptor
  let sourceIdentity: FileIdentity
  let target: FileDescriptor
  private(set) var lost: [LostAttribute] = []

  init(from source: FileDescriptor, _ identity: FileIdentity, to target: FileDescriptor) {
    self.source = source
    self.sourceIdentity = identity
    self.target = target
  }

  /// Copies in the order that the parts require: a change of owner clears mode bits, and an ACL
  /// changes the group's.
  mutating func copy() throws(Errno) {
    try copyOwner()
    try copyExtendedAttributes()
    try Syscalls.changeMode(target, .init(permissions))
  }

  private mutating func copyOwner() throws(Errno) {
    let now = try Syscalls.status(target)
    if now.user != sourceIdentity.user {
      try changeOwner(user: sourceIdentity.user, orLose: .owner)
    }
    if now.group != sourceIdentity.group {
      try changeOwner(group: sourceIdentity.group, orLose: .group)
    }
  }

  private mutating func changeOwner(
    user: UInt32? = nil,
    group: UInt32? = nil,
    orLose attribute: LostAttribute
  ) throws(Errno) {
    do throws(Errno) {
      try Syscalls.changeOwner(target, user: user, group: group)
    } catch {
      guard error == .notPermitted, !Syscalls.isRoot else { throw error }
      lost.append(attribute)
    }
  }

  /// The source's mode, less what would give somebody new a right to the file.
  private var permissions: UInt16 {
    var permissions = UInt16(sourceIdentity.permissions)
    if lost.contains(.owner) { permissions &= 0o3777 }
    if lost.contains(.group) { permissions &= 0o5777 }
    if lost.contains(.group) || lost.contains(.extendedAttribute(Self.accessList)) {
      // The group is another one, or its bits were the ACL's mask: it gets no more than everybody.
      permissions &= 0o7707 | (permissions & 0o7) << 3
    }
    return permissions
  }

  private mutating func copyExtendedAttributes() throws(Errno) {
    let names = try Self.names(of: source)
    // The directory may have given the new file an ACL that the old one has not.
    if try Self.names(of: target).contains(Self.accessList), !names.contains(Self.accessList) {
      try Syscalls.removeAttribute(Self.accessList, of: target)
    }
    for name in names where !Self.aboutContent.contains(name) {
      do throws(Errno) {
        let value = try Syscalls.attribute(name, of: source)
        if let present = try? Syscalls.attribute(name, of: target), present == value { continue }
        try Syscalls.setAttribute(name, of: target, to: value)
      } catch .notPermitted, .permissionDenied, .notSupported {
        lost.append(.extendedAttribute(name))
      }
    }
  }

  private static func names(of file: FileDescriptor) throws(Errno) -> [String] {
    do throws(Errno) {
      return try Syscalls.listAttributes(file)
    } catch .notSupported {
      return []
    }
  }
}
