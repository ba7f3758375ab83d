#if Server
internal import HTTPTypes
package import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes
internal import Reports
internal import Upright

/// Answers requests: the resources of the service, and nothing else.
///
/// No path of a request leads to a file, and nothing of a photograph is kept.
package struct PhotographService: HTTPResponder {
  let configuration: ServiceConfiguration
  let metrics: Metrics
  let workers: WorkerPool
  private let memory: BodyMemory
  private let allowedHosts: AllowedHosts
  let log: RequestLog?

  init(_ configuration: ServiceConfiguration) {
    self.configuration = configuration
    metrics = Metrics()
    workers = WorkerPool(workers: configuration.workers, queue: configuration.queue)
    memory = BodyMemory(limit: configuration.bodyMemory)
    allowedHosts = AllowedHosts(configuration)
    log = RequestLog(configuration)
  }

  /// What is known of a request beside itself.
  package struct Context: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection that it came through.
    let channel: any Channel
    /// What the log says of it.
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
    guard let resource else { throw Problem(.notFound, "not-found", "there is no such resource") }
    guard resource.methods.contains(request.method) else {
      var problem = Problem(
        .methodNotAllowed,
        "method",
        "\(request.uri.path) does not know this method"
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
      let file = resource.file ?? ([], "")
      return Response(
        status: .ok,
        headers: [.contentType: file.type, .contentSecurityPolicy: SecurityHeaders.page],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.content))
      )
    }
  }

  private static func body(_ text: String) -> ResponseBody {
    ResponseBody(byteBuffer: ByteBuffer(string: text))
  }

  private static let text = "text/plain; charset=utf-8"
  /// Where the service is described (RFC 8631).
  private static let link = "</openapi.json>; rel=\"service-desc\""

  private var gauges: [(name: String, help: String, value: Int)] {
    let load = workers.load
    return [
      ("upright_working", "Photographs that are worked on.", load.running),
      ("upright_waiting", "Photographs that wait for their transform.", load.waiting),
      ("upright_body_bytes", "Bytes of bodies in memory.", memory.bytes),
    ]
  }

  /// Makes a photograph upright.
  private func normalize(_ request: Request, _ context: Context) async throws -> Response {
    let requested = Answer(request.headers[.accept])
    let (normalizer, upload) = try await receive(request, context)
    let outcome = try await work(on: upload, context) {
      (result: Outcome) in
      (Status(result.plan, isDone: true), result.bytes?.count ?? 0)
    } by: {
      try normalizer.normalize(upload.bytes)
    }
    let report = JSONReport(path: upload.name, done: outcome)
    let photograph = outcome.bytes ?? upload.bytes
    let headers = HTTPFields(outcome)
    return switch requested {
    case .report: Response(reporting: report)
    case .photograph:
      Response(photograph: photograph, headers: headers)
    case .both:
      Response(report: report, photograph: photograph, headers: headers)
    }
  }

  /// Tells what would be done with a photograph.
  private func audit(_ request: Request, _ context: Context) async throws -> Response {
    let (normalizer, upload) = try await receive(request, context)
    let audit = try await work(on: upload, context) {
      (audit: Audit) in
      (Status(audit.plan, isDone: false), 0)
    } by: {
      try normalizer.audit(size: upload.bytes.count) { offset, count in
        Array(upload.bytes.dropFirst(offset).prefix(count))
      }
    }
    return Response(
      reporting: JSONReport(path: upload.name, planned: audit.plan, facts: audit.facts)
    )
  }

  /// Receives a photograph, and what to do with it.
  private func receive(
    _ request: Request,
    _ context: Context
  ) async throws -> (Normalizer, Upload) {
    var policies = RequestedPolicies(configuration.options)
    for (name, value) in request.uri.queryParameters {
      try policies.take(String(name), String(value))
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
    for (name, value) in upload.fields { try policies.take(name, value) }
    return (Normalizer(options: policies.options), upload)
  }

  private static let full = Problem.busy(
    "busy",
    "too many photographs wait for their transform; try again"
  )

  /// Works on a photograph in the pool, for as long as somebody waits for it, and counts it.
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
            metrics.countPhotograph(
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

extension PhotographService.Context {
  /// Tells the guard of the connection.
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
  /// The new file; nil where the old one stays as it is.
  fileprivate var bytes: [UInt8]? {
    guard case .rewritten(let rewrite) = self else { return nil }
    return rewrite.bytes
  }
}
#endif
