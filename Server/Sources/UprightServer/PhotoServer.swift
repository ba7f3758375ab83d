internal import Dispatch
internal import NIOCore
internal import NIOPosix

/// The HTTP service that `upright serve` runs.
public struct PhotoServer: Sendable {
  /// The port that it listens on.
  public let port: Int
  /// Whether other machines may reach it, because the address is not a loopback address.
  public let isReachable: Bool

  private let channel: any Channel
  private let service: PhotoService
  /// The connections that are served.
  private let connections = DispatchGroup()

  /// Starts a service.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - ended: What is called when it no longer listens: because of ``stop()``, or of an error of the network, which is passed.
  /// - Throws: The error of listening.
  public init(
    _ configuration: ServiceConfiguration,
    ended: @escaping @Sendable ((any Error)?) -> Void = { _ in }
  ) throws {
    let (service, connections) = (PhotoService(configuration), connections)
    let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // One after the other, so that there are never more than the maximum.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            ConnectionLimit(configuration.connections, ended: ended)
          )
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let connection = try ServiceChannel(channel, service)
          connections.enter()
          Task {
            await connection.serve()
            connections.leave()
          }
        }
      }
    do {
      channel = try bootstrap.bind(host: configuration.host, port: configuration.port).wait()
    } catch {
      service.workers.stop()
      throw error
    }
    let address = channel.localAddress
    port = address?.port ?? 0
    isReachable = address?.ipAddress.flatMap { HostName($0)?.isLoopback } != true
    self.service = service
  }

  /// Whether it listens: not after ``stop()``, or an error of the network.
  public var isListening: Bool { channel.isActive }

  /// Stops listening, and returns when every request that has begun is answered.
  public func stop() {
    try? channel.close().wait()
    let timeouts = service.configuration.timeouts
    let patience = (timeouts.body + timeouts.answer + timeouts.taking) / .seconds(1)
    _ = connections.wait(timeout: .now() + patience)
    service.workers.stop()
  }
}
