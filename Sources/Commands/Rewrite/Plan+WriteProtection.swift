internal import FileSystem
internal import SystemPackage
internal import Upright

extension Plan {
  /// Returns the plan for a file that would be replaced: a protected file is skipped.
  ///
  /// - Parameters:
  ///   - rule: Which files are protected.
  ///   - path: The file that is read and replaced.
  ///   - identity: Its status.
  ///   - subject: The file in texts.
  /// - Returns: The plan.
  func respecting(
    _ rule: WriteProtection.Rule,
    of path: FilePath,
    _ identity: FileIdentity,
    _ subject: String = "the file"
  ) -> Plan {
    guard action.rewrites, let protection = rule.protection(of: path, identity) else { return self }
    var plan = self
    plan.skip(for: .writeProtected(protection, identity, subject))
    return plan
  }

  /// Skips a file that would be rewritten.
  mutating func skip(for reason: Reason) {
    action = .skip(reason)
    (changes, registeredData, regions, contradictions, notes) = ([], [], [], [], [])
  }
}

extension Reason {
  /// The reason not to replace a protected file.
  static func writeProtected(
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
}
