#if Server
package import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import UnixSignals
internal import Upright

/// The HTTP service that `upright serve` runs.
package struct PhotoServer {
  /// The service as a Hummingbird application, with its worker threads.
  package let application: Application<PhotoService>

  private let configuration: ServiceConfiguration

  /// The port of a running service.
  package struct Listening: Sendable {
    /// The port.
    package var port: Int
    /// Whether other machines may reach it, because the address is not a loopback address.
    package var isReachable: Bool
  }

  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - isListening: Called when clients can connect.
  package init(
    _ configuration: ServiceConfiguration,
    isListening: @escaping @Sendable (Listening) async -> Void = { _ in }
  ) {
    self.configuration = configuration
    let service = PhotoService(configuration)
    let (metrics, log) = (service.metrics, service.log)
    let timeouts = configuration.timeouts
    var logger = Logger(label: "upright") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    var application = Application(
      responder: service,
      server: HTTPServerBuilder { responder in
        ServiceChannel(responder: responder) {
          ConnectionGuard(timeouts: timeouts) { problem in
            metrics.countRequest("other", status: problem.status.code)
            log?.write(problem)
          }
        }
      },
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        availableConnectionsDelegate: .maximum(configuration.connections, logger: logger)
      ),
      onServerRunning: { channel in
        let address = channel.localAddress
        await isListening(
          Listening(
            port: address?.port ?? 0,
            isReachable: address?.ipAddress.flatMap { HostName($0)?.isLoopback } != true
          )
        )
      },
      logger: logger
    )
    application.addServices([service.workers])
    self.application = application
  }

  /// Runs the service until SIGTERM or SIGINT, and until every request that has begun is answered.
  ///
  /// - Throws: The error of listening.
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
