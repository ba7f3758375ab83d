internal import NIOCore

/// Accepts connections up to a maximum, and tells them when the service no longer listens.
final class ConnectionLimit: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let maximum: Int
  private var open: [ObjectIdentifier: any Channel] = [:]
  /// Whether the next connection waits until another one ends.
  private var isFull = false
  /// The last error of accepting a connection.
  private var error: (any Error)?
  private let ended: ((any Error)?) -> Void

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - maximum: How many connections may be open.
  ///   - ended: What is called when the service no longer listens, with the last error of accepting a connection.
  init(_ maximum: Int, ended: @escaping ((any Error)?) -> Void) {
    self.maximum = maximum
    self.ended = ended
  }

  func read(context: ChannelHandlerContext) {
    isFull = open.count >= maximum
    if !isFull { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    open[ObjectIdentifier(channel)] = channel
    channel.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
      self.open[ObjectIdentifier(channel)] = nil
      if self.isFull { self.read(context: context) }
    }
    context.fireChannelRead(data)
  }

  /// Pauses if no connection can be accepted, as without further file descriptors; attempts would follow each other at once.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    self.error = error
    let channel = context.channel
    _ = channel.setOption(.autoRead, value: false)
    _ = channel.eventLoop.scheduleTask(in: .milliseconds(10)) {
      _ = channel.setOption(.autoRead, value: true)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    for channel in open.values {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
    context.fireChannelInactive()
    ended(error)
  }
}
