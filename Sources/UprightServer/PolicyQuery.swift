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
      do throws(UnknownValue) {
        if try setPolicy(name, to: value) { continue }
      } catch {
        throw Problem(.badRequest, "unknown-value", error.message)
      }
      throw Problem(.badRequest, "unknown-parameter", "there is no parameter \(name)")
    }
  }
}
#endif
