#if Server
internal import HTTPTypes
internal import Upright

extension Options {
  /// Takes the policies that a request asks for in its query, named as the command's options are.
  ///
  /// - Throws: ``Problem``, for names and values that there are not. Limits cannot be asked for.
  mutating func take(
    _ query: some Sequence<(key: Substring, value: Substring)>
  ) throws(Problem) {
    for (name, value) in query {
      switch name {
      case "unaligned": unaligned = try Self.policy(name, value)
      case "redraw-quality": redrawQuality = try Self.policy(name, value)
      case "on-conflict": onConflict = try Self.policy(name, value)
      case "resolution": resolution = try Self.policy(name, value)
      case "regions": regions = try Self.policy(name, value)
      case "content-credentials": contentCredentials = try Self.policy(name, value)
      default: throw Problem(.badRequest, "unknown-parameter", "there is no parameter \(name)")
      }
    }
  }

  private static func policy<Policy: RawRepresentable & CaseIterable>(
    _ name: Substring,
    _ value: Substring
  ) throws(Problem) -> Policy where Policy.RawValue == String {
    if let policy = Policy(rawValue: String(value)) { return policy }
    let values = Policy.allCases.map(\.rawValue).joined(separator: ", ")
    throw Problem(.badRequest, "unknown-value", "\(name) is one of \(values)")
  }
}
#endif
