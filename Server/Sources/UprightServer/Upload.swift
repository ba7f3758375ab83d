internal import NIOCore
internal import NIOHTTP1

/// A photo sent by a client.
struct Upload: Sendable {
  var bytes: [UInt8]
  /// The name from the client, which is only repeated in reports.
  var name: String
  /// The other fields of the form.
  private(set) var fields: [(name: String, value: String)] = []

  /// The memory that is counted for the body until the response is sent.
  let share: BodyMemory.Share

  /// The number of bytes that a form may have besides the photo.
  private static let formOverhead = 64 << 10

  /// Receives the body of a request.
  ///
  /// - Throws: ``Problem``, or the connection's error.
  init(_ request: HTTPRequest, maxBytes: Int, memory: BodyMemory) async throws {
    let headers = request.head.headers
    if let coding = headers.value(of: "Content-Encoding"), coding.lowercased() != "identity" {
      throw Problem(.unsupportedMediaType, .contentEncoding, "the body is compressed")
    }
    let contentType = headers.value(of: "Content-Type") ?? ""
    let boundary = MultipartForm.boundary(contentType)
    if boundary == nil, contentType.lowercased().hasPrefix("multipart/") {
      throw Problem(
        .unsupportedMediaType,
        .multipart,
        "the only supported multipart type is multipart/form-data with a boundary"
      )
    }
    let limit = maxBytes + (boundary == nil ? 0 : Self.formOverhead)
    let announced = headers.first(name: "Content-Length").flatMap { Int($0) }
    if let announced, announced > limit { throw Problem.tooLarge(maxBytes) }

    request.connection.tell(.bodyIsRequested)
    share = memory.share()
    name = "-"
    bytes = []
    while let part = try await request.receive() {
      guard part.readableBytes <= limit - bytes.count else { throw Problem.tooLarge(maxBytes) }
      guard share.take(part.readableBytes) else {
        throw Problem.busy("too many photos are in memory; try again later")
      }
      if bytes.isEmpty, let announced {
        // An announced length is not trusted before data arrives.
        bytes.reserveCapacity(min(announced, 1 << 20))
      }
      bytes.append(contentsOf: part.readableBytesView)
    }
    if let boundary { try takePhoto(boundary) }
    guard bytes.count <= maxBytes else { throw Problem.tooLarge(maxBytes) }
  }

  /// Replaces the body by the photo in its form.
  private mutating func takePhoto(_ boundary: String) throws(Problem) {
    let form: MultipartForm
    do throws(MultipartForm.Malformed) {
      form = try MultipartForm(bytes, boundary: boundary)
    } catch {
      throw Problem(.badRequest, .malformedForm, error.text)
    }
    let files = form.parts.filter { $0.fileName != nil }
    guard let photo = files.first, files.count == 1 else {
      throw Problem(
        .badRequest,
        .oneFile,
        "the form has \(files.count) files; send one photo per request"
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
