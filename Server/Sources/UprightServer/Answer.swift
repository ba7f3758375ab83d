internal import ImageFormats
internal import ImageOrientation
internal import NIOCore
internal import NIOHTTP1
internal import Reports
internal import Upright

/// The content of the response to a request for a photo.
enum Answer {
  /// The photo, with the result in the header.
  case photo
  /// The report.
  case report
  /// A form with both.
  case both

  /// Selects what the client prefers.
  ///
  /// Of equal preferences, the photo comes first, because many programs send `application/json, */*` with every request.
  ///
  /// Source: RFC 9110, section 12.5.1.
  ///
  /// - Parameter accept: The field `Accept` of the request.
  init(_ accept: String?) {
    let qualities = Self.qualities(accept ?? "")
    let photo = ["image/jpeg", "image/*", "*/*"].lazy.compactMap { qualities[$0] }.first ?? 0
    let report = qualities["application/json"] ?? 0
    let both = qualities["multipart/form-data"] ?? 0
    switch max(photo, report, both) {
    case photo: self = .photo
    case report: self = .report
    default: self = .both
    }
  }

  /// Returns the quality of each media range, which is 1 unless it is given.
  private static func qualities(_ accept: String) -> [String: Double] {
    var qualities: [String: Double] = [:]
    for range in accept.lowercased().split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.trimmingSpaces() }
      guard let type = parts.first else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      qualities[String(type)] = weight.flatMap { Double($0) } ?? 1
    }
    return qualities
  }
}

extension HTTPResponse {
  /// Creates a response with a report, given as JSON.
  init(reporting report: String) {
    self.init(.ok, ["Content-Type": "application/json"], ByteBuffer(string: report + "\n"))
  }

  /// Creates a response with a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - format: Its format.
  ///   - headers: The result.
  init(photo: [UInt8], of format: ImageFormat, headers: HTTPHeaders) {
    var headers = headers
    headers.add("Content-Type", format.mediaType)
    headers.add("Content-Disposition", "attachment; filename=\"upright.\(format.ending)\"")
    self.init(.ok, headers, ByteBuffer(bytes: photo))
  }

  /// Creates a response with a form of the fields `report` and `photo`.
  ///
  /// - Parameters:
  ///   - report: The report as JSON.
  ///   - photo: The photo.
  ///   - format: Its format.
  ///   - headers: The result.
  init(report: String, photo: [UInt8], of format: ImageFormat, headers: HTTPHeaders) {
    // 128 random bits do not occur in a photo.
    let boundary =
      "upright-"
      + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    func head(_ disposition: String, _ type: String) -> String {
      "--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n"
        + "Content-Type: \(type)\r\n\r\n"
    }
    var body = ByteBuffer()
    body.reserveCapacity(photo.count + 65_536)
    body.writeString(head("name=\"report\"", "application/json"))
    body.writeString(report + "\r\n")
    let name = "upright.\(format.ending)"
    body.writeString(head("name=\"photo\"; filename=\"\(name)\"", format.mediaType))
    body.writeBytes(photo)
    body.writeString("\r\n--\(boundary)--\r\n")
    var headers = headers
    headers.add("Content-Type", "multipart/form-data; boundary=\(boundary)")
    self.init(.ok, headers, body)
  }
}

extension HTTPHeaders {
  /// Creates the header fields with the result for a converted photo.
  init(_ conversion: ServiceConfiguration.Conversion) {
    self.init()
    add("Upright-Action", Status.converted.rawValue)
    add("Upright-Transform", conversion.transform?.rawValue)
    add("Upright-Lossless", "false")
    add("Upright-Changes", "\(conversion.changes)")
  }

  /// Creates the header fields with the result for a photo that is not converted.
  init(skipped reason: Reason) {
    self.init()
    add("Upright-Action", Status.skipped.rawValue)
    add("Upright-Reason", reason.code.rawValue)
  }

  /// Creates the header fields with the result for a photo.
  init(_ outcome: Outcome) {
    self.init()
    let plan = outcome.plan
    add("Upright-Action", Status(plan, isDone: true).rawValue)
    add("Upright-Orientation", plan.image.orientation.map { "\($0.rawValue)" })
    switch plan.action {
    case .transform(let transform, let edges):
      add("Upright-Transform", transform.rawValue)
      add("Upright-Lossless", edges == .lossless ? "true" : "false")
    case .unchanged(let reason), .resetTag(let reason), .skip(let reason):
      add("Upright-Reason", reason.code.rawValue)
    case .changeTag: break
    }
    if case .rewritten(let rewrite) = outcome {
      add("Upright-Verified", rewrite.verification.rawValue)
      add("Upright-Changes", "\(rewrite.changes.count)")
    }
  }
}
