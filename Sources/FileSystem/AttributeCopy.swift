import SystemPackage

/// An attribute of a file that its replacement could not be given.
package enum LostAttribute: Hashable, Sendable {
  /// The owner: the process has no permission to change it.
  case owner
  /// The group: the process is not a member of it.
  case group
  /// The mode: the mount decides it, and more people may read the file.
  case mode
  /// An extended attribute that only the system may set, by the bytes of its name.
  case extendedAttribute([UInt8])
}

/// Copies owner, mode, ACLs and extended attributes of one file to another (specification, section 7).
struct AttributeCopy {
  /// Attributes with signatures or hashes of the content, which the system sets itself.
  private static let aboutContent = [Array("security.ima".utf8), Array("security.evm".utf8)]

  let source: FileDescriptor
  let sourceIdentity: FileIdentity
  let target: FileDescriptor
  private(set) var lost: [LostAttribute] = []

  init(from source: FileDescriptor, _ identity: FileIdentity, to target: FileDescriptor) {
    self.source = source
    self.sourceIdentity = identity
    self.target = target
  }

  /// Copies in the required order: a change of owner clears mode bits, and a write-protected file accepts no
  /// attributes.
  mutating func copy() throws(Errno) {
    try copyOwner()
    let names = try ExtendedAttribute.names(of: source)
    for name in names where !AccessRights.isList(name) && !Self.aboutContent.contains(name) {
      let value = try Syscalls.attribute(name, of: source)
      if try !ExtendedAttribute(name: name, value: value).set(on: target) {
        lost.append(.extendedAttribute(name))
      }
    }
    lost += try AccessRights(of: source, sourceIdentity, names: names)
      .give(to: target, mask: 0o7777)
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
}
