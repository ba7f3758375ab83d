#if Server
internal import HTTPTypes
internal import Upright

/// Takes the policies that a request names in its query and in the fields of its form.
struct RequestedPolicies {
  /// The options of the service, with what the request asks for.
  private(set) var options: Options
  private var names: Set<String> = []

  init(_ options: Options) {
    self.options = options
  }

  /// Takes one policy, named as the command's option is.
  ///
  /// - Throws: ``Problem``, for a name or a value that there is not, and for a name that was given before. Limits
  ///   cannot be asked for.
  mutating func take(_ name: String, _ value: String) throws(Problem) {
    switch name {
    case "unaligned": options.unaligned = try Self.policy(name, value)
    case "redraw-quality": options.redrawQuality = try Self.policy(name, value)
    case "on-conflict": options.onConflict = try Self.policy(name, value)
    case "resolution": options.resolution = try Self.policy(name, value)
    case "regions": options.regions = try Self.policy(name, value)
    case "content-credentials": options.contentCredentials = try Self.policy(name, value)
    default:
      throw Problem(.badRequest, "unknown-parameter", "there is no parameter \(name.prefix(100))")
    }
    guard names.insert(name).inserted else {
      throw Problem(.badRequest, "repeated-parameter", "\(name) is given more than once")
    }
  }

  private static func policy<Policy: RawRepresentable & CaseIterable>(
    _ name: String,
    _ value: String
  ) throws(Problem) -> Policy where Policy.RawValue == String {
    if let policy = Policy(rawValue: value) { return policy }
    let values = Policy.allCases.map(\.rawValue).joined(separator: ", ")
    throw Problem(.badRequest, "unknown-value", "\(name) is one of \(values)")
  }
}
#endif
