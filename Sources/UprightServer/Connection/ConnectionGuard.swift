#if Server
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// Watches over one connection: cuts off slow and endless clients, and ends work that nobody waits for.
///
/// A request passes through states. The client has so long for a head, for each part of the body, for the whole
/// body, and to take the answer. An answer that comes before the end of the body is the last one of
/// its connection; what is still sent is thrown away for a moment, so that the client comes to read the answer.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Where the connection is.
  private enum State: Equatable {
    /// Waiting for the head of a request.
    case idle(until: NIODeadline)
    /// Receiving a body.
    case receiving(until: NIODeadline)
    /// The body is here, the answer is not written, or not whole.
    case answering(until: NIODeadline)
    /// The answer to a body that is not here is written.
    case leaving(until: NIODeadline)
    case closed

    var deadline: NIODeadline {
      switch self {
      case .idle(let end), .receiving(let end), .answering(let end), .leaving(let end): end
      case .closed: .distantFuture
      }
    }
  }

  /// The client's end of the connection.
  let connection = Connection()

  private let timeouts: ServiceConfiguration.Timeouts
  private let maxBytes: Int
  private let timedOut: @Sendable (Problem) -> Void
  private var state = State.closed
  /// Requests whose head has come, and those whose answer is written: clients may send several in a row.
  private var (requests, answers) = (0, 0)
  private var answerHasBegun = false
  /// Answers that are written and not sent.
  private var unsent = 0
  /// Whether the connection is to be closed when they are sent.
  private var closesWhenSent = false
  private var lastRead = NIODeadline.now()
  private var alarm: Scheduled<Void>?

  /// - Parameters:
  ///   - timeouts: The patience with the client.
  ///   - maxBytes: The longest body that a client is encouraged to send.
  ///   - timedOut: Is told of requests that are answered here.
  init(
    timeouts: ServiceConfiguration.Timeouts,
    maxBytes: Int,
    timedOut: @escaping @Sendable (Problem) -> Void
  ) {
    self.timeouts = timeouts
    self.maxBytes = maxBytes
    self.timedOut = timedOut
  }

  func handlerAdded(context: ChannelHandlerContext) {
    enter(.idle(until: .now() + TimeAmount(timeouts.head)), context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastRead = .now()
    let part = unwrapInboundIn(data)
    switch (part, state) {
    case (.end, .leaving):
      context.close(promise: nil)
      return
    case (_, .leaving), (_, .closed): return
    case (.head(let head), _):
      requests += 1
      encourage(head, context)
      enter(.receiving(until: .now() + TimeAmount(timeouts.body)), context)
    case (.end, _): enter(.answering(until: .now() + TimeAmount(timeouts.answer)), context)
    case (.body, _): break
    }
    context.fireChannelRead(data)
  }

  /// Tells a client to send its body that asks first.
  private func encourage(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
    guard head.headerFields[.expect]?.lowercased() == "100-continue",
      let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length <= maxBytes
    else { return }
    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch state {
    case .closed, .leaving:
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    case .idle, .receiving, .answering: break
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      guard head.status.kind != .informational else { break }
      answerHasBegun = true
      if case .answering = state {
        enter(.answering(until: .now() + TimeAmount(timeouts.taking)), context)
      }
      guard isBeforeEndOfBody else { break }
      head.headerFields[.connection] = "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return
    case .body: break
    case .end:
      let isLast = isBeforeEndOfBody
      answers += 1
      answerHasBegun = false
      if isLast {
        enter(.leaving(until: .now() + TimeAmount(timeouts.farewell)), context)
        context.writeAndFlush(data, promise: promise)
        return
      }
      unsent += 1
      let promise = promise ?? context.eventLoop.makePromise()
      promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.sent(context) }
      context.write(data, promise: promise)
      return
    }
    context.write(data, promise: promise)
  }

  /// An answer is sent to its end.
  private func sent(_ context: ChannelHandlerContext) {
    unsent -= 1
    guard state != .closed else { return }
    if closesWhenSent, unsent == 0 {
      context.close(promise: nil)
    } else if answers == requests, unsent == 0, case .answering = state {
      enter(.idle(until: .now() + TimeAmount(timeouts.head)), context)
    }
  }

  /// Closes the connection, but not before its client has the answers that are written.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if case .all = mode, unsent > 0, state != .closed {
      closesWhenSent = true
      context.channel.closeFuture.cascade(to: promise)
    } else {
      context.close(mode: mode, promise: promise)
    }
  }

  /// Whether the answer that is being written belongs to the body that is being received.
  private var isBeforeEndOfBody: Bool {
    guard case .receiving = state else { return false }
    return answers + 1 == requests
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent, case .answering = state {
      // Nobody is known to wait for the answer.
      context.close(promise: nil)
      return
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func end() {
    state = .closed
    alarm?.cancel()
    alarm = nil
    connection.close()
  }

  private func enter(_ next: State, _ context: ChannelHandlerContext) {
    state = next
    setAlarm(context)
  }

  private func setAlarm(_ context: ChannelHandlerContext) {
    alarm?.cancel()
    var deadline = state.deadline
    if case .receiving = state { deadline = min(deadline, lastRead + TimeAmount(timeouts.pause)) }
    alarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
      self?.ring(context)
    }
  }

  /// The time that the alarm was set for has come.
  private func ring(_ context: ChannelHandlerContext) {
    guard state != .closed else { return }
    if case .receiving(let end) = state {
      guard end <= .now() || lastRead + TimeAmount(timeouts.pause) <= .now() else {
        setAlarm(context)
        return
      }
      if !answerHasBegun, answers + 1 == requests {
        tellTimeOut(context)
        enter(.leaving(until: .now() + TimeAmount(timeouts.farewell)), context)
        return
      }
    }
    state = .closed
    context.close(promise: nil)
  }

  private func tellTimeOut(_ context: ChannelHandlerContext) {
    let problem = Problem(.requestTimeout, "slow", "the body took too long to come")
    timedOut(problem)
    var response = problem.response
    SecurityHeaders.add(to: &response.headers, isPage: false)
    response.headers[.connection] = "close"
    context.write(wrapOutboundOut(.head(response.head)), promise: nil)
    context.write(wrapOutboundOut(.body(problem.body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
#endif
