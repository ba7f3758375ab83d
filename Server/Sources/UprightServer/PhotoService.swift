internal import ImageFormats
internal import ImageOrientation
internal import NIOCore
internal import NIOHTTP1
internal import Reports
internal import Upright

/// Responds to requests for the resources of the service.
///
/// No request path is a file path, and no data of a photo is kept.
struct PhotoService: Sendable {
  let configuration: ServiceConfiguration
  let metrics: Metrics
  let workers: WorkerPool
  private let memory: BodyMemory
  private let allowedHosts: AllowedHosts
  let log: RequestLog?
  /// The page for uploads.
  private let page: [UInt8]

  init(_ configuration: ServiceConfiguration) {
    self.configuration = configuration
    metrics = Metrics()
    workers = WorkerPool(workers: configuration.workers, queue: configuration.queue)
    memory = BodyMemory(limit: configuration.bodyMemory)
    allowedHosts = AllowedHosts(configuration)
    log = RequestLog(configuration)
    let page = Resource.page.file?.content ?? []
    self.page = Self.page(page, configuration)
  }

  /// Responds to a request, which is counted and logged.
  ///
  /// - Throws: The error of the connection.
  func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    let resource = Resource(rawValue: request.path)
    var response: HTTPResponse
    do {
      try allowedHosts.check(request, for: resource)
      response = try await answer(request, resource)
    } catch let problem as Problem {
      response = problem.response
      request.entry.note { $0.code = problem.code }
    }
    response.head.headers.add("Link", Self.link)
    metrics.countRequest(resource?.name ?? "other", status: response.status)
    log?.write(request, resource, response)
    return response
  }

  /// Counts and logs a request that was refused before it reached the service.
  func note(refusal problem: Problem) {
    metrics.countRequest("other", status: Int(problem.status.code))
    log?.write(problem)
  }

  private func answer(_ request: HTTPRequest, _ resource: Resource?) async throws -> HTTPResponse {
    guard let resource else { throw Problem(.notFound, .notFound, "no such resource") }
    guard resource.methods.contains(request.head.method) else {
      var problem = Problem(
        .methodNotAllowed,
        .method,
        "\(request.path) does not support this method"
      )
      problem.allow = resource.methods.map(\.rawValue).joined(separator: ", ")
      throw problem
    }
    switch resource {
    case .normalize: return try await normalize(request)
    case .audit: return try await audit(request)
    case .health:
      return HTTPResponse(
        .ok,
        ["Content-Type": "text/plain; charset=utf-8"],
        ByteBuffer(string: "ok\n")
      )
    case .metrics:
      return HTTPResponse(
        .ok,
        ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
        ByteBuffer(string: metrics.text(gauges: gauges, version: configuration.version))
      )
    case .description:
      return HTTPResponse(
        .ok,
        ["Content-Type": "application/openapi+json"],
        Resource.description(version: configuration.version)
      )
    case .page, .style, .script, .icon:
      var file = resource.file ?? ([], "")
      if resource == .page { file.content = page }
      return HTTPResponse(
        .ok,
        ["Content-Type": file.type, "Content-Security-Policy": SecurityHeaders.page],
        ByteBuffer(bytes: file.content)
      )
    }
  }

  /// Returns the page with the formats and the limit of the service.
  ///
  /// Phones convert HEIF for a page that asks for JPEG only, and lose metadata.
  private static func page(_ page: [UInt8], _ configuration: ServiceConfiguration) -> [UInt8] {
    let converts = configuration.convert != nil
    let limit = configuration.options.maxBytes.map { "\($0 >> 20) MiB" } ?? "any size"
    var text = String(decoding: page, as: UTF8.self)
    text.replace("{{formats}}", with: converts ? "JPEG and HEIC" : "JPEG")
    text.replace("{{limit}}", with: limit)
    if converts {
      let jpeg = "image/jpeg,.jpg,.jpeg"
      text.replace(jpeg, with: jpeg + ",image/heic,image/heif,.heic,.heif")
    }
    return Array(text.utf8)
  }

  /// The link to the description of the service (RFC 8631).
  private static let link = "</openapi.json>; rel=\"service-desc\""

  private var gauges: [(name: String, help: String, value: Int)] {
    let load = workers.load
    return [
      ("upright_working", "Photos in work.", load.running),
      ("upright_waiting", "Photos in the queue.", load.waiting),
      ("upright_body_bytes", "Bytes of bodies in memory.", memory.bytes),
    ]
  }

  /// Normalizes a photo.
  private func normalize(_ request: HTTPRequest) async throws -> HTTPResponse {
    let requested = Answer(request.head.headers.value(of: "Accept"))
    let (rewriter, upload) = try await receive(request)
    let format = ImageFormat(beginning: upload.bytes.span)
    if rewriter.keepsImage, let format, format != .jpeg { throw Problem.notKept(format) }
    if let format, format.isHEIF {
      return try await convert(upload, of: format, rewriter.options, requested, request)
    }
    let converts = configuration.convert != nil
    let outcome = try await work(on: upload, request) {
      (result: Outcome) in
      (Status(result.plan, isDone: true), result.bytes?.count ?? 0)
    } by: {
      do throws(UprightError) { return try rewriter.rewrite(upload.bytes) } catch {
        throw converts ? error.namingHEIC : error
      }
    }
    let report = JSONReport(path: upload.name, done: outcome)
    return respond(
      requested,
      report.json,
      outcome.bytes ?? upload.bytes,
      of: outcome.plan.image.format,
      HTTPHeaders(outcome)
    )
  }

  /// Converts a HEIF photo to an upright JPEG file.
  private func convert(
    _ upload: Upload,
    of format: ImageFormat,
    _ options: Options,
    _ requested: Answer,
    _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    guard let convert = configuration.convert else { throw Problem.notConverted }
    let outcome = try await work(on: upload, request) {
      (outcome: ServiceConfiguration.ConversionOutcome) in
      switch outcome {
      case .converted(let conversion): (.converted, conversion.photo.count)
      case .skipped: (.skipped, 0)
      }
    } by: {
      try convert(upload.bytes, upload.name, options)
    }
    switch outcome {
    case .converted(let conversion):
      return respond(
        requested,
        conversion.report,
        conversion.photo,
        of: .jpeg,
        HTTPHeaders(conversion)
      )
    case .skipped(let reason):
      let report = JSONReport(path: upload.name, skipped: reason)
      return respond(
        requested,
        report.json,
        upload.bytes,
        of: format,
        HTTPHeaders(skipped: reason)
      )
    }
  }

  private func respond(
    _ requested: Answer,
    _ report: String,
    _ photo: [UInt8],
    of format: ImageFormat,
    _ headers: HTTPHeaders
  ) -> HTTPResponse {
    switch requested {
    case .report: HTTPResponse(reporting: report)
    case .photo: HTTPResponse(photo: photo, of: format, headers: headers)
    case .both: HTTPResponse(report: report, photo: photo, of: format, headers: headers)
    }
  }

  /// Reports what would be done with a photo.
  private func audit(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (rewriter, upload) = try await receive(request)
    guard !rewriter.keepsImage else {
      throw Problem(.badRequest, .unknownParameter, "an audit does not have the parameter image")
    }
    let audit = try await work(on: upload, request) {
      (audit: Audit) in
      (Status(audit.plan, isDone: false), 0)
    } by: {
      try rewriter.audit(upload.bytes)
    }
    return HTTPResponse(
      reporting: JSONReport(path: upload.name, planned: audit.plan, facts: audit.facts).json
    )
  }

  /// Receives a photo and what is requested of it.
  private func receive(_ request: HTTPRequest) async throws -> (Rewriter, Upload) {
    var parameters = RequestParameters(configuration.options)
    for (name, value) in request.parameters { try parameters.take(name, value) }
    guard workers.hasRoom else { throw Self.full }
    let upload = try await Upload(
      request,
      maxBytes: configuration.options.maxBytes ?? Int.max / 2,
      memory: memory
    )
    request.connection.tell(.bodyIsHeld(upload.share))
    request.entry.note {
      $0.name = upload.name
      $0.received = upload.bytes.count
    }
    for (name, value) in upload.fields { try parameters.take(name, value) }
    return (parameters.rewriter, upload)
  }

  private static let full = Problem.busy("too many photos are in the queue; try again later")

  /// Processes a photo in the pool, while the client is connected, and counts it.
  private func work<Value: Sendable>(
    on upload: Upload,
    _ request: HTTPRequest,
    counting count: @escaping @Sendable (Value) -> (status: Status, sent: Int),
    by work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let (metrics, workers, entry) = (metrics, workers, request.entry)
    do {
      return try await request.connection.whileOpen {
        try await workers.run {
          let start = ContinuousClock.now
          func note(_ status: Status, _ sent: Int) {
            entry.note { $0.action = status.rawValue }
            metrics.countPhoto(
              status.rawValue,
              received: upload.bytes.count,
              sent: sent,
              took: .now - start
            )
          }
          do {
            let value = try work()
            let (status, sent) = count(value)
            note(status, sent)
            return value
          } catch {
            note(.failed, 0)
            throw error
          }
        }
      }
    } catch let error as UprightError {
      throw Problem(error)
    } catch is WorkerPool.Full {
      throw Self.full
    }
  }
}

extension Rewriter {
  /// Whether only the tag is set.
  fileprivate var keepsImage: Bool { request == .tag(.set(.up)) }
}

extension Outcome {
  /// The new file, or nil if the file is unchanged.
  fileprivate var bytes: [UInt8]? {
    guard case .rewritten(let rewrite) = self else { return nil }
    return rewrite.bytes
  }
}
