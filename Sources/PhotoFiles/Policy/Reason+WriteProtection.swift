package import FileSystem
internal import Records
package import Upright

extension Reason {
  /// The reason not to replace a protected file.
  package static func writeProtected(
    _ protection: WriteProtection,
    _ identity: FileIdentity,
    _ subject: String = "the file"
  ) -> Reason {
    let problem =
      switch protection {
      case .mode: "is read-only (mode \(String(identity.permissions & 0o777, radix: 8)))"
      case .access: "may not be written by this user"
      case .owner: "belongs to another user, and a new file would not"
      case .group: "belongs to a group that a new file would not belong to"
      }
    return Reason(
      .writeProtected,
      "\(subject) \(problem)",
      remedies: [Remedy(.policy("read-only", "rewrite"), "replace it anyway")]
    )
  }

  /// The reason not to replace a file with several hard links.
  package static func hardLinked(_ subject: String = "the file") -> Reason {
    Reason(
      .hardLinked,
      "\(subject) has several hard links, and replacing it would change only this name",
      remedies: [.breakHardLinks]
    )
  }
}
