#if Server
internal import HTTPTypes
package import Hummingbird
internal import ISOBMFF
internal import ImageOrientation
internal import NIOCore
internal import NIOHTTPTypes
internal import Reports
internal import Upright

/// Responds to requests for the resources of the service.
///
/// No request path is a file path, and no data of a photo is kept.
package struct PhotoService: HTTPResponder {
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

  /// The context of a request.
  package struct Context: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    let channel: any Channel
    /// The values of the log line.
    let entry = RequestLog.Entry()

    package init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      channel = source.channel
    }
  }

  package func respond(to request: Request, context: Context) async throws -> Response {
    let resource = Resource(rawValue: request.uri.path)
    var response: Response
    do {
      try allowedHosts.check(request, for: resource, at: context.channel.localAddress)
      response = try await answer(request, resource, context)
    } catch let problem as Problem {
      response = problem.response
      context.entry.note { $0.code = problem.code }
    }
    response.headers[.custom("Link")] = Self.link
    metrics.countRequest(resource?.name ?? "other", status: response.status.code)
    log?.write(context.entry, request, resource, response)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(
    _ request: Request,
    _ resource: Resource?,
    _ context: Context
  ) async throws -> Response {
    guard let resource else { throw Problem(.notFound, "not-found", "no such resource") }
    guard resource.methods.contains(request.method) else {
      var problem = Problem(
        .methodNotAllowed,
        "method",
        "\(request.uri.path) does not support this method"
      )
      problem.allow = resource.methods.map(\.rawValue).joined(separator: ", ")
      throw problem
    }
    switch resource {
    case .normalize: return try await normalize(request, context)
    case .audit: return try await audit(request, context)
    case .health:
      return Response(status: .ok, headers: [.contentType: Self.text], body: Self.body("ok\n"))
    case .metrics:
      return Response(
        status: .ok,
        headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: Self.body(metrics.text(gauges: gauges, version: configuration.version))
      )
    case .description:
      return Response(
        status: .ok,
        headers: [.contentType: "application/openapi+json"],
        body: ResponseBody(
          byteBuffer: Resource.description(version: configuration.version)
        )
      )
    case .page, .style, .script, .icon:
      var file = resource.file ?? ([], "")
      if resource == .page { file.content = page }
      return Response(
        status: .ok,
        headers: [.contentType: file.type, .contentSecurityPolicy: SecurityHeaders.page],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.content))
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

  private static func body(_ text: String) -> ResponseBody {
    ResponseBody(byteBuffer: ByteBuffer(string: text))
  }

  private static let text = "text/plain; charset=utf-8"
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
  private func normalize(_ request: Request, _ context: Context) async throws -> Response {
    let requested = Answer(request.headers[.accept])
    let (rewriter, upload) = try await receive(request, context)
    if MediaFile.isHEIF(upload.bytes.span) {
      return try await convert(upload, rewriter.options, requested, context)
    }
    let outcome = try await work(on: upload, context) {
      (result: Outcome) in
      (Status(result.plan, isDone: true), result.bytes?.count ?? 0)
    } by: {
      try rewriter.rewrite(upload.bytes)
    }
    let report = JSONReport(path: upload.name, done: outcome)
    return respond(requested, report.jsonLine, outcome.bytes ?? upload.bytes, HTTPFields(outcome))
  }

  /// Converts a HEIF photo to an upright JPEG file.
  private func convert(
    _ upload: Upload,
    _ options: Options,
    _ requested: Answer,
    _ context: Context
  ) async throws -> Response {
    guard let convert = configuration.convert else { throw Problem.notConverted }
    let conversion = try await work(on: upload, context) {
      (result: ServiceConfiguration.Conversion) in
      (.converted, result.photo.count)
    } by: {
      try convert(upload.bytes, upload.name, options)
    }
    return respond(requested, conversion.report, conversion.photo, HTTPFields(conversion))
  }

  private func respond(
    _ requested: Answer,
    _ report: String,
    _ photo: [UInt8],
    _ headers: HTTPFields
  ) -> Response {
    switch requested {
    case .report: Response(reporting: report)
    case .photo:
      Response(photo: photo, headers: headers)
    case .both:
      Response(report: report, photo: photo, headers: headers)
    }
  }

  /// Reports what would be done with a photo.
  private func audit(_ request: Request, _ context: Context) async throws -> Response {
    let (rewriter, upload) = try await receive(request, context)
    guard !rewriter.request.isOfTag else {
      throw Problem(.badRequest, "unknown-parameter", "an audit does not have the parameter image")
    }
    let audit = try await work(on: upload, context) {
      (audit: Audit) in
      (Status(audit.plan, isDone: false), 0)
    } by: {
      try rewriter.audit(upload.bytes)
    }
    return Response(
      reporting: JSONReport(path: upload.name, planned: audit.plan, facts: audit.facts).jsonLine
    )
  }

  /// Receives a photo and what is requested of it.
  private func receive(
    _ request: Request,
    _ context: Context
  ) async throws -> (Rewriter, Upload) {
    var parameters = RequestParameters(configuration.options)
    for (name, value) in request.uri.queryParameters {
      try parameters.take(String(name), String(value))
    }
    guard workers.hasRoom else { throw Self.full }
    let upload = try await Upload(
      request,
      maxBytes: configuration.options.maxBytes ?? Int.max / 2,
      memory: memory
    ) {
      context.tell(.bodyIsRequested)
    }
    context.tell(.bodyIsHeld(upload.share))
    context.entry.note {
      $0.name = upload.name
      $0.received = upload.bytes.count
    }
    for (name, value) in upload.fields { try parameters.take(name, value) }
    return (parameters.rewriter, upload)
  }

  private static let full = Problem.busy(
    "busy",
    "too many photos are in the queue; try again later"
  )

  /// Processes a photo in the pool, while the client is connected, and counts it.
  private func work<Value: Sendable>(
    on upload: Upload,
    _ context: Context,
    counting count: @escaping @Sendable (Value) -> (status: Status, sent: Int),
    by work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let (metrics, workers) = (metrics, workers)
    do {
      return try await context.connection.whileOpen {
        try await workers.run {
          let start = ContinuousClock.now
          func note(_ status: Status, _ sent: Int) {
            context.entry.note { $0.action = status.rawValue }
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

extension PhotoService.Context {
  /// Sends an event to the guard of the connection.
  fileprivate func tell(_ event: ConnectionGuard.Event) {
    channel.triggerUserOutboundEvent(event, promise: nil)
  }

  /// The client's end of the connection.
  fileprivate var connection: Connection {
    get async {
      let channel = channel
      let found = channel.eventLoop.submit {
        try channel.pipeline.syncOperations.handler(type: ConnectionGuard.self).connection
      }
      return (try? await found.get()) ?? Connection()
    }
  }
}

extension Outcome {
  /// The new file, or nil if the file is unchanged.
  fileprivate var bytes: [UInt8]? {
    guard case .rewritten(let rewrite) = self else { return nil }
    return rewrite.bytes
  }
}
#endif
