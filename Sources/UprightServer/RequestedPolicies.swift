#if Server
internal import HTTPTypes
internal import ImageOrientation
internal import Upright

/// Collects the policies from the query of a request and the fields of its form.
struct RequestedPolicies {
  /// The options of the service with the requested policies.
  private(set) var options: Options
  /// What is requested of a photo; if the stored image is right, only the tag is set to 1.
  private(set) var request = Request.normalize()
  private var names: Set<String> = []

  init(_ options: Options) {
    self.options = options
  }

  /// Sets a policy, named like the command's option.
  ///
  /// - Throws: ``Problem``, for an unknown name or value, and for a repeated name. Limits cannot be set by
  ///   requests.
  mutating func take(_ name: String, _ value: String) throws(Problem) {
    var isPolicy = false
    if name == "image" {
      guard let requested = ["rotate": Request.normalize(), "keep": .tag(.set(.up))][value] else {
        throw Problem(.badRequest, "unknown-value", "image must be rotate or keep")
      }
      (isPolicy, request) = (true, requested)
    }
    do throws(Setting.UnknownValue) {
      if !isPolicy { isPolicy = try options.setPolicy(name, to: value) }
    } catch {
      throw Problem(.badRequest, "unknown-value", error.message)
    }
    guard isPolicy else {
      let names = Setting.policies.map(\.name) + ["image"]
      throw Problem(
        .badRequest,
        "unknown-parameter",
        "unknown parameter \(name.prefix(100))" + Suggestion.question(name, among: names)
      )
    }
    guard names.insert(name).inserted else {
      throw Problem(.badRequest, "repeated-parameter", "\(name) is given more than once")
    }
  }
}
#endif
