package import SystemPackage

/// Why a file is not to be replaced, although replacing it requires write access to its directory only.
package enum WriteProtection: Hashable, Sendable {
  /// Its owner may not write it, as the permission bits say.
  ///
  /// Stores that name files by the hash of their content, such as those of DVC and git-annex, protect them so.
  case mode
  /// The user of the process may not write it.
  case access
  /// It belongs to another user, and a new file could not be given to them.
  case owner
  /// It belongs to a group that a new file could not be given to.
  case group

  /// Which files are protected.
  package enum Rule: Sendable {
    /// Those whose owner or user may not write them, and those whose owner or group would change.
    case permissions
    /// Those that the user of the process may not write; root may write all.
    case access
    /// None.
    case none

    /// Returns why a file is protected, or nil if it is not.
    ///
    /// - Parameters:
    ///   - path: The file, or a symbolic link to it.
    ///   - identity: Its status.
    /// - Returns: The protection.
    package func protection(of path: FilePath, _ identity: FileIdentity) -> WriteProtection? {
      switch self {
      case .none: nil
      case .access: Syscalls.mayWrite(path) ? nil : .access
      case .permissions:
        identity.permissions & 0o200 == 0
          ? .mode : !Syscalls.mayWrite(path) ? .access : Self.lostOwnership(path, identity)
      }
    }

    /// Whether a new file in place of this one would belong to somebody else.
    private static func lostOwnership(
      _ path: FilePath,
      _ identity: FileIdentity
    ) -> WriteProtection? {
      if Syscalls.isRoot || Syscalls.mountAssignsOwners(path) { return nil }
      if !identity.isOfThisUser { return .owner }
      if Syscalls.groups.contains(identity.group) { return nil }
      // A directory can give its group to new files.
      guard let target = try? Syscalls.resolve(path),
        let directory = target.removingLastComponent().status
      else { return .group }
      let inherits = directory.permissions & 0o2000 != 0 && directory.group == identity.group
      return inherits ? nil : .group
    }
  }
}
