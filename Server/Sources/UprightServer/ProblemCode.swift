/// The problems that only the service has; the raw values are stable identifiers.
public enum ProblemCode: String, CaseIterable, Sendable {
  case malformedRequest = "malformed-request"
  case malformedForm = "malformed-form"
  case oneFile = "one-file"
  case unknownParameter = "unknown-parameter"
  case unknownValue = "unknown-value"
  case repeatedParameter = "repeated-parameter"
  case crossSite = "cross-site"
  case notFound = "not-found"
  case method
  case slow
  case tooLarge = "too-large"
  case notJPEG = "not-jpeg"
  case contentEncoding = "content-encoding"
  case multipart
  case host
  case headerTooLarge = "header-too-large"
  case transferCoding = "transfer-coding"
  case httpVersion = "http-version"
  case busy

  /// What it means, as sentences with Markdown for a page of docs.
  public var meaning: String {
    switch self {
    case .malformedRequest: "The request is not HTTP, or its host or body length is ambiguous."
    case .malformedForm: "The form cannot be read."
    case .oneFile: "The form does not have exactly one file."
    case .unknownParameter: "There is no such policy."
    case .unknownValue: "The policy does not have this value."
    case .repeatedParameter: "A policy is given more than once."
    case .crossSite:
      "A page of another site sent the request, according to `Origin` or `Sec-Fetch-Site`."
    case .notFound: "There is no such resource."
    case .method: "The resource does not have this method."
    case .slow: "The body took too long."
    case .tooLarge: "The photo has too many bytes."
    case .notJPEG: "The service cannot process the photo, because it is of another format."
    case .contentEncoding: "The body is compressed."
    case .multipart: "The body is another kind of multipart than a form."
    case .host: "The `Host` is not [accepted](server.md#hosts)."
    case .headerTooLarge: "The header of the request is too long."
    case .transferCoding: "The transfer coding is another one than `chunked`."
    case .httpVersion: "The version is another one than HTTP/1.0 and HTTP/1.1."
    case .busy: "Too many photos are waiting, or too many bytes are held."
    }
  }
}
