#if Server
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A photograph that a client has sent.
struct Upload: Sendable {
  var bytes: [UInt8]
  /// The name that the client gave it; it is repeated in reports and used for nothing else.
  var name: String
  /// The fields of the form beside the photograph.
  private(set) var fields: [(name: String, value: String)] = []

  /// The memory that the service counts for the body until the answer is sent.
  let share: BodyMemory.Share

  /// The room that a form needs beside the photograph in it.
  private static let formOverhead = 64 << 10

  /// Receives the body of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - maxBytes: The most bytes that a photograph may have.
  ///   - memory: What all bodies share.
  ///   - isWanted: Is called when nothing in the head speaks against the body.
  /// - Throws: ``Problem``, or the connection's error.
  init(
    _ request: Request,
    maxBytes: Int,
    memory: BodyMemory,
    isRequested: () -> Void
  ) async throws {
    if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
      throw Problem(.unsupportedMediaType, "content-encoding", "the body is compressed")
    }
    let contentType = request.headers[.contentType] ?? ""
    let boundary = MultipartForm.boundary(contentType)
    if boundary == nil, contentType.lowercased().hasPrefix("multipart/") {
      throw Problem(
        .unsupportedMediaType,
        "multipart",
        "of multipart bodies only multipart/form-data with a boundary is read"
      )
    }
    let limit = maxBytes + (boundary == nil ? 0 : Self.formOverhead)
    let announced = request.headers[.contentLength].flatMap { Int($0) }
    if let announced, announced > limit { throw Problem.tooLarge(maxBytes) }

    isRequested()
    share = memory.share()
    name = "-"
    bytes = []
    for try await part in request.body {
      guard part.readableBytes <= limit - bytes.count else { throw Problem.tooLarge(maxBytes) }
      guard share.take(part.readableBytes) else {
        throw Problem.busy("busy", "the service holds as many photographs as it may; try again")
      }
      if bytes.isEmpty, let announced {
        // What was announced is not believed before it begins to come.
        bytes.reserveCapacity(min(announced, 1 << 20))
      }
      bytes.append(contentsOf: part.readableBytesView)
    }
    if let boundary { try takePhoto(boundary) }
    guard bytes.count <= maxBytes else { throw Problem.tooLarge(maxBytes) }
  }

  /// Keeps nothing but the photograph of a form.
  private mutating func takePhoto(_ boundary: String) throws(Problem) {
    let form: MultipartForm
    do throws(MultipartForm.Malformed) {
      form = try MultipartForm(bytes, boundary: boundary)
    } catch {
      throw Problem(.badRequest, "malformed-form", error.text)
    }
    let files = form.parts.filter { $0.fileName != nil }
    guard let photo = files.first, files.count == 1 else {
      throw Problem(
        .badRequest,
        "one-file",
        "the form has \(files.count) files; send one photograph with each request"
      )
    }
    if let given = photo.fileName?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last {
      name = String(given)
    }
    fields = form.parts.filter { $0.fileName == nil }.map { part in
      (part.name, String(decoding: bytes[part.range], as: UTF8.self))
    }
    bytes.removeSubrange(photo.range.upperBound...)
    bytes.removeSubrange(..<photo.range.lowerBound)
  }
}
#endif
