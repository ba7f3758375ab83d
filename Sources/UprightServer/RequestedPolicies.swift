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
    let isPolicy: Bool
    do throws(Options.UnknownValue) {
      isPolicy = try options.setPolicy(name, to: value)
    } catch {
      throw Problem(.badRequest, "unknown-value", error.message)
    }
    guard isPolicy else {
      throw Problem(.badRequest, "unknown-parameter", "there is no parameter \(name.prefix(100))")
    }
    guard names.insert(name).inserted else {
      throw Problem(.badRequest, "repeated-parameter", "\(name) is given more than once")
    }
  }
}
#endif
