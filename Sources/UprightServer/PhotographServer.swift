#if Server
package import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import UnixSignals
internal import Upright

/// The HTTP service that `upright serve` runs.
package struct PhotographServer {
  /// The service as an application of Hummingbird, with the threads that it works with.
  package let application: Application<PhotographService>

  private let configuration: ServiceConfiguration

  /// - Parameters:
  ///   - configuration: What it does, and where.
  ///   - isListening: Is told the port, once clients can connect.
  package init(
    _ configuration: ServiceConfiguration,
    isListening: @escaping @Sendable (Int) async -> Void = { _ in }
  ) {
    self.configuration = configuration
    let service = PhotographService(configuration)
    let metrics = service.metrics
    let (timeouts, maxBytes) = (configuration.timeouts, configuration.options.maxBytes ?? .max)
    var logger = Logger(label: "upright") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    var application = Application(
      responder: service,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [
            ConnectionGuard(timeouts: timeouts, maxBytes: maxBytes) { problem in
              metrics.countRequest("other", status: problem.status.code)
            }
          ],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 8 << 10,
            maxHeaderListSize: 32 << 10,
            maxHeaderFieldCount: 100
          )
        )
      ),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        availableConnectionsDelegate: .maximum(configuration.connections, logger: logger)
      ),
      onServerRunning: { await isListening($0.localAddress?.port ?? 0) },
      logger: logger
    )
    application.addServices([service.workers])
    self.application = application
  }

  /// Serves until SIGTERM or SIGINT comes and every request that has begun is answered.
  ///
  /// - Throws: What keeps it from listening.
  package func run() throws {
    var group = ServiceGroupConfiguration(
      services: [application],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: application.logger
    )
    let timeouts = configuration.timeouts
    group.maximumGracefulShutdownDuration = timeouts.body + timeouts.answer + timeouts.taking
    let services = ServiceGroup(configuration: group)
    try MultiThreadedEventLoopGroup.singleton.any()
      .makeFutureWithTask { try await services.run() }.wait()
  }
}
#endif
