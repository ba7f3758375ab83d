internal import FileSystem
internal import SystemPackage
internal import Upright

extension Plan {
  /// Returns the plan for a file that would be replaced: a protected file is skipped.
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
}
