internal import NIOCore
internal import NIOHTTP1

/// Guards one connection: enforces the protocol, ends slow clients and oversized requests, and cancels abandoned
/// work.
///
/// There are time limits for the head of a request, for each part of the body, for the whole body, and for the
/// client to read the response. A response is the last one of its connection if the client requests that or does
/// not support persistent connections, if it precedes the end of the body, if the guard refused the request, or if the
/// service no longer listens. Data after it is discarded for a moment, so that the client can read the response.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The state of the connection.
  private enum State: Equatable {
    /// Waiting for the head of a request.
    case idle(until: NIODeadline)
    /// Receiving a body.
    case receiving(until: NIODeadline)
    /// The body was received, and the response is not completely written.
    case answering(until: NIODeadline)
    /// The last response is written.
    case leaving(until: NIODeadline)
    case closed

    var deadline: NIODeadline {
      switch self {
      case .idle(let end), .receiving(let end), .answering(let end), .leaving(let end): end
      case .closed: .distantFuture
      }
    }
  }

  /// Events from the service about the request that it works on.
  enum Event: Sendable {
    /// The service requests the body.
    case bodyIsRequested
    /// The service holds the body in this memory.
    case bodyIsHeld(BodyMemory.Share)
  }

  private let connection: Connection
  private let timeouts: ServiceConfiguration.Timeouts
  private let refused: @Sendable (Problem) -> Void
  private var state = State.closed
  /// The requests whose responses are not completely written; clients may send several in a row.
  private var exchanges: [Exchange] = []
  /// Whether further requests are accepted.
  private var takesRequests = true
  /// The response to a request that the service does not see completely; sent after those before it.
  private var refusal: Problem?
  private var answerHasBegun = false
  /// Whether the response that has begun is the last one.
  private var answerIsLast = false
  /// The number of responses that are written and not sent.
  private var unsent = 0
  /// Whether to close the connection after they are sent.
  private var closesWhenSent = false
  private var lastRead = NIODeadline.now()
  private var alarm: Scheduled<Void>?

  init(
    _ connection: Connection,
    timeouts: ServiceConfiguration.Timeouts,
    refused: @escaping @Sendable (Problem) -> Void
  ) {
    self.connection = connection
    self.timeouts = timeouts
    self.refused = refused
  }

  // MARK: The connection

  func handlerAdded(context: ChannelHandlerContext) {
    enter(.idle(until: .now() + TimeAmount(timeouts.head)), context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    state = .closed
    exchanges = []
    alarm?.cancel()
    alarm = nil
    connection.close()
  }

  /// Closes the connection after the written responses are sent.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if case .all = mode, unsent > 0, state != .closed {
      closesWhenSent = true
      context.channel.closeFuture.cascade(to: promise)
    } else {
      context.close(mode: mode, promise: promise)
    }
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastRead = .now()
    switch (unwrapInboundIn(data), state) {
    case (_, .leaving), (_, .closed): return
    case (.head(let head), _): if takesRequests { receive(head, context) }
    case (.body, .receiving): context.fireChannelRead(data)
    case (.end, .receiving):
      enter(.answering(until: .now() + TimeAmount(timeouts.answer)), context)
      context.fireChannelRead(data)
    // Data after the last request.
    case (.body, _), (.end, _): return
    }
  }

  private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let checked: HTTPRequestHead
    do throws(Problem) { checked = try head.checked() } catch {
      refuse(error, context)
      return
    }
    let exchange = Exchange(head)
    exchanges.append(exchange)
    takesRequests = exchange.isPersistent
    enter(.receiving(until: .now() + TimeAmount(timeouts.body)), context)
    context.fireChannelRead(wrapInboundOut(.head(checked)))
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    switch event as? Event {
    case .bodyIsRequested:
      if isReceivingFirst, exchanges[0].awaitsContinue { encourage(context) }
      promise?.succeed()
    case .bodyIsHeld(let memory):
      if !exchanges.isEmpty { exchanges[0].memory = memory }
      promise?.succeed()
    case nil: context.triggerUserOutboundEvent(event, promise: promise)
    }
  }

  /// Sends `100 Continue` to a client that waits for it.
  private func encourage(_ context: ChannelHandlerContext) {
    exchanges[0].awaitsContinue = false
    let head = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (state, error) {
    case (.leaving, _), (.closed, _): return
    case (.receiving, let error as HTTPParserError): refuse(Problem(error), context)
    case (_, let error as HTTPParserError): if takesRequests { refuse(Problem(error), context) }
    default: if refusal == nil { context.fireErrorCaught(error) }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent, case .answering = state {
      // No client is known to wait for the response.
      context.close(promise: nil)
      return
    }
    if event is ChannelShouldQuiesceEvent { quiesce(context) }
    context.fireUserInboundEventTriggered(event)
  }

  /// Ends the connection when the requests that have begun are answered.
  private func quiesce(_ context: ChannelHandlerContext) {
    takesRequests = false
    if exchanges.isEmpty { close(context: context, mode: .all, promise: nil) }
  }

  // MARK: Answers

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch (state, unwrapOutboundIn(data)) {
    case (.closed, _), (.leaving, _), (.idle, _): promise?.fail(ChannelError.ioOnClosedChannel)
    case (_, .head(let head)): begin(head, context, promise)
    case (_, .body): context.write(data, promise: promise)
    case (_, .end): finish(data, context, promise)
    }
  }

  private func begin(
    _ head: HTTPResponseHead,
    _ context: ChannelHandlerContext,
    _ promise: EventLoopPromise<Void>?
  ) {
    if case .answering = state {
      enter(.answering(until: .now() + TimeAmount(timeouts.taking)), context)
    }
    var head = head
    let isFinal = exchanges.count == 1 && !takesRequests && refusal == nil
    answerIsLast = exchanges[0].complete(&head, isLast: isReceivingFirst || isFinal)
    answerHasBegun = true
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  private func finish(
    _ end: NIOAny,
    _ context: ChannelHandlerContext,
    _ promise: EventLoopPromise<Void>?
  ) {
    let exchange = exchanges.removeFirst()
    answerHasBegun = false
    unsent += 1
    let promise = promise ?? context.eventLoop.makePromise()
    promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in
      withExtendedLifetime(exchange) {}
      self?.sent(context)
    }
    if answerIsLast {
      enter(.leaving(until: .now() + TimeAmount(timeouts.taking)), context)
      context.writeAndFlush(end, promise: promise)
    } else {
      context.write(end, promise: promise)
      if exchanges.isEmpty { writeRefusal(context) }
    }
  }

  /// Handles a response that was sent completely.
  private func sent(_ context: ChannelHandlerContext) {
    unsent -= 1
    guard state != .closed, unsent == 0 else { return }
    if closesWhenSent {
      context.close(promise: nil)
    } else if case .leaving = state {
      enter(.leaving(until: .now() + TimeAmount(timeouts.farewell)), context)
      context.close(mode: .output, promise: nil)
    } else if case .answering = state, exchanges.isEmpty {
      enter(.idle(until: .now() + TimeAmount(timeouts.head)), context)
    }
  }

  /// Whether the body of the first request without a response is being received.
  private var isReceivingFirst: Bool {
    guard case .receiving = state else { return false }
    return exchanges.count == 1
  }

  // MARK: Refusals

  /// Responds to the current request with a problem, after those before it, and ends the connection.
  private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
    takesRequests = false
    guard context.channel.isActive, !(isReceivingFirst && answerHasBegun) else { return }
    if case .receiving = state { exchanges.removeLast() }
    refusal = problem
    enter(.answering(until: .now() + TimeAmount(timeouts.answer)), context)
    if exchanges.isEmpty { writeRefusal(context) }
  }

  private func writeRefusal(_ context: ChannelHandlerContext) {
    guard let problem = refusal else { return }
    refused(problem)
    exchanges.append(Exchange(nil))
    let response = problem.response
    begin(response.head, context, nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
    finish(wrapOutboundOut(.end(nil)), context, nil)
  }

  // MARK: Deadlines

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

  /// Handles the expiry of the timer.
  private func ring(_ context: ChannelHandlerContext) {
    guard state != .closed else { return }
    if case .receiving(let end) = state {
      guard end <= .now() || lastRead + TimeAmount(timeouts.pause) <= .now() else {
        setAlarm(context)
        return
      }
      if !(isReceivingFirst && answerHasBegun) {
        refuse(Problem(.requestTimeout, .slow, "the body was not received in time"), context)
        return
      }
    }
    state = .closed
    context.close(promise: nil)
  }
}
