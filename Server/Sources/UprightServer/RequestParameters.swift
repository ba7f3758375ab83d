internal import ImageOrientation
internal import NIOHTTP1
internal import Upright

/// Collects what the query of a request and the fields of its form say of the work on a photo.
struct RequestParameters {
  /// The rewriter of the service with the requested policies; if the stored image is right, it only sets the tag to 1.
  private(set) var rewriter: Rewriter
  private var names: Set<String> = []

  init(_ options: Options) { rewriter = Rewriter(options: options) }

  /// Takes a policy, named like the command's option, or what is requested.
  ///
  /// - Throws: ``Problem``, for an unknown name or value, and for a repeated name. Limits cannot be set by
  ///   requests.
  mutating func take(_ name: String, _ value: String) throws(Problem) {
    var isPolicy = false
    if name == "image" {
      guard let requested = ["rotate": Request.normalize(), "keep": .tag(.set(.up))][value] else {
        throw Problem(.badRequest, .unknownValue, "image must be rotate or keep")
      }
      (isPolicy, rewriter.request) = (true, requested)
    }
    do throws(UprightError) {
      if !isPolicy { isPolicy = try rewriter.options.setPolicy(name, to: value) }
    } catch { throw Problem(error) }
    guard isPolicy else {
      let names = Setting.policies.map(\.name) + ["image"]
      throw Problem(
        .badRequest,
        .unknownParameter,
        "unknown parameter \(name.prefix(100)); there are \(names.joined(separator: ", "))"
      )
    }
    guard names.insert(name).inserted else {
      throw Problem(.badRequest, .repeatedParameter, "\(name) is given more than once")
    }
  }
}
