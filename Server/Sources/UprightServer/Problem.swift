internal import ImageFormats
internal import NIOCore
internal import NIOHTTP1
internal import Reports
internal import Upright

/// Why a request fails, as a problem document.
///
/// Source: RFC 9457.
struct Problem: Error {
  var status: HTTPResponseStatus
  /// The identifier of the problem, a ``ProblemCode`` or one of the library; `docs/identifiers.md` lists them.
  var code: String
  /// The problem as text.
  var detail: String
  /// The offset of the problem in the photo.
  var offset: Int?
  /// What prevents the problem.
  var remedies: [Remedy] = []
  /// The number of seconds after which another attempt may succeed.
  var retryAfter: Int?
  /// The methods that the resource supports.
  var allow: String?

  init(_ status: HTTPResponseStatus, _ code: ProblemCode, _ detail: String) {
    self.init(status, code.rawValue, detail)
  }

  private init(_ status: HTTPResponseStatus, _ code: String, _ detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// Creates the problem of a request for which the library has an error.
  init(_ error: UprightError) {
    self.init(.of(error.httpStatus), error.code.rawValue, error.message)
    offset = error.offset
    remedies = error.remedies
    if status == .serviceUnavailable { retryAfter = Self.patience }
  }

  /// The number of seconds that a client should wait before it tries again.
  private static let patience = 1

  static func busy(_ detail: String) -> Problem {
    var problem = Problem(.serviceUnavailable, .busy, detail)
    problem.retryAfter = patience
    return problem
  }

  /// The problem of a HEIF photo that this service does not convert.
  static let notConverted = Problem(
    .unsupportedMediaType,
    .notJPEG,
    "This is a HEIC photo, which this service cannot convert. Send it as JPEG: most phones and photo programs can save "
      + "or share photos as JPEG, and iPhones take them so with Settings, Camera, Formats, Most Compatible."
  )

  /// The problem of a photo that is to keep its image, but is of another format.
  static func notKept(_ format: ImageFormat) -> Problem {
    Problem(
      .unsupportedMediaType,
      .notJPEG,
      "image=keep is for JPEG photos, and this is \(format.name)"
    )
  }

  static func tooLarge(_ limit: Int) -> Problem {
    Problem(.contentTooLarge, .tooLarge, "the photo has more than \(limit) bytes")
  }

  private var document: String {
    JSONWriter.text { json in
      json.field("code", code)
      json.field("detail", detail)
      json.field("offset", offset)
      json.field("remedies", remedies.isEmpty ? nil : remedies)
      json.field("status", Int(status.code))
      json.field("title", status.reasonPhrase)
      json.field("type", "about:blank")
    }
  }

  /// The response with the problem.
  var response: HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
    headers.add("Retry-After", retryAfter.map(String.init))
    headers.add("Allow", allow)
    return HTTPResponse(status, headers, ByteBuffer(string: document))
  }
}

extension UprightError {
  /// The error, in the words of a service that converts HEIC.
  var namingHEIC: UprightError {
    guard code == .notJPEG else { return self }
    var error = self
    error.message.replace("not a JPEG:", with: "neither JPEG nor HEIC:")
    return error
  }
}

extension HTTPResponseStatus {
  // SwiftNIO has the names of RFC 7231.
  static let contentTooLarge = custom(code: 413, reasonPhrase: "Content Too Large")
  private static let unprocessableContent = custom(
    code: 422,
    reasonPhrase: "Unprocessable Content"
  )

  fileprivate static func of(_ code: Int) -> HTTPResponseStatus {
    [contentTooLarge, unprocessableContent].first { $0.code == code }
      ?? HTTPResponseStatus(statusCode: code)
  }
}
