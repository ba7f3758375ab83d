#if Server
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Reports
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Why a request fails, as a problem document.
///
/// Source: RFC 9457.
struct Problem: Error {
  var status: HTTPResponse.Status
  /// The identifier of what is wrong; `docs/server.md` and `docs/output.md` list them.
  var code: String
  /// What is wrong, in words.
  var detail: String
  /// The offset in the photograph where it was noticed.
  var offset: Int?
  /// After how many seconds another try may succeed.
  var retryAfter: Int?
  /// The methods that the resource knows.
  var allow: String?

  init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// The problem of a photograph that could not be worked on.
  init(_ error: UprightError) {
    let status: HTTPResponse.Status =
      switch (error.cause, error.code) {
      case (.file, .empty), (.file, .notJPEG): .unsupportedMediaType
      case (.file, .limit): .contentTooLarge
      case (.file, _): .unprocessableContent
      case (.work, .timeLimit), (.work, .outOfMemory), (.work, .cancelled): .serviceUnavailable
      case (.work, _): .internalServerError
      }
    self.init(status, error.code.rawValue, error.message)
    offset = error.offset
    if status == .serviceUnavailable { retryAfter = Self.patience }
  }

  /// The seconds that a client waits before it tries again.
  private static let patience = 1

  static func busy(_ code: String, _ detail: String) -> Problem {
    var problem = Problem(.serviceUnavailable, code, detail)
    problem.retryAfter = patience
    return problem
  }

  static func tooLarge(_ limit: Int) -> Problem {
    Problem(.contentTooLarge, "too-large", "the photograph has more than \(limit) bytes")
  }

  /// The members of the document.
  private struct Document: Encodable {
    var type = "about:blank"
    var title: String
    var status: Int
    var code: String
    var detail: String
    var offset: Int?
  }

  /// The document.
  var body: ByteBuffer {
    json(
      Document(
        title: status.reasonPhrase,
        status: status.code,
        code: code,
        detail: detail,
        offset: offset
      )
    )
  }

  /// The response that tells of the problem.
  var response: Response {
    var headers: HTTPFields = [.contentType: "application/problem+json"]
    headers[.retryAfter] = retryAfter.map(String.init)
    headers[.allow] = allow
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}

/// A value as JSON, its members in alphabetical order.
func json(_ value: some Encodable) -> ByteBuffer {
  ByteBuffer(bytes: value.jsonBytes)
}

extension HTTPField.Name {
  /// A name that is right as it stands in the source.
  static func custom(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else {
      preconditionFailure("\(name) is not a field name")
    }
    return name
  }
}
#endif
