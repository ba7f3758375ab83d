#if Server
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// Guards one connection: keeps to the protocol, ends slow and endless clients, and work that nobody waits for.
///
/// A request passes through states. The client has so long for a head, for each part of the body, for the whole
/// body, and to take the answer. The last answer of a connection is the one to a client that asks for the end or
/// does not know persistent connections, one that comes before the end of the body, and a refusal by the guard. What
/// is sent after it is dropped for a moment, so that the client comes to read the answer.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Where the connection is.
  private enum State: Equatable {
    /// Waiting for the head of a request.
    case idle(until: NIODeadline)
    /// Receiving a body.
    case receiving(until: NIODeadline)
    /// The body is here, the answer is not written, or not whole.
    case answering(until: NIODeadline)
    /// The last answer is written.
    case leaving(until: NIODeadline)
    case closed

    var deadline: NIODeadline {
      switch self {
      case .idle(let end), .receiving(let end), .answering(let end), .leaving(let end): end
      case .closed: .distantFuture
      }
    }
  }

  /// What a service tells of the request that it works on.
  enum Event: Sendable {
    /// It wants the body.
    case bodyIsRequested
    /// It has the body, in this memory.
    case bodyIsHeld(BodyMemory.Share)
  }

  /// The client's end of the connection.
  let connection = Connection()

  private let timeouts: ServiceConfiguration.Timeouts
  private let refused: @Sendable (Problem) -> Void
  private var state = State.closed
  /// The requests whose answers are not written to their end: clients may send several in a row.
  private var exchanges: [Exchange] = []
  /// Whether another request may come.
  private var takesRequests = true
  /// The answer to a request that the service does not see, or not whole, when those before it are written.
  private var refusal: Problem?
  private var answerHasBegun = false
  /// Whether the answer that has begun is the last one.
  private var answerIsLast = false
  /// Answers that are written and not sent.
  private var unsent = 0
  /// Whether the connection is to be closed when they are sent.
  private var closesWhenSent = false
  private var lastRead = NIODeadline.now()
  private var alarm: Scheduled<Void>?

  /// - Parameters:
  ///   - timeouts: The patience with the client.
  ///   - refused: Is told of requests that are answered here.
  init(
    timeouts: ServiceConfiguration.Timeouts,
    refused: @escaping @Sendable (Problem) -> Void
  ) {
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

  /// Closes the connection, but not before its client has the answers that are written.
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
    // Of a request after the last one.
    case (.body, _), (.end, _): return
    }
  }

  private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var checked: HTTPRequestHead
    do throws(Problem) { checked = try head.checked() } catch {
      refuse(error, context)
      return
    }
    let exchange = Exchange(head)
    exchanges.append(exchange)
    takesRequests = exchange.isPersistent
    // Persistence is decided here alone.
    checked.headers.remove(name: "Connection")
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

  /// Tells a client to send its body that asks first.
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
      // Nobody is known to wait for the answer.
      context.close(promise: nil)
      return
    }
    context.fireUserInboundEventTriggered(event)
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
    answerIsLast = exchanges[0].complete(&head, isEarly: isReceivingFirst)
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

  /// An answer is sent to its end.
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

  /// Whether the first request without an answer is the one whose body is being received.
  private var isReceivingFirst: Bool {
    guard case .receiving = state else { return false }
    return exchanges.count == 1
  }

  // MARK: Refusals

  /// Answers the request that is coming with a problem, after those before it, and ends the connection.
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
    begin(HTTPResponseHead(problem.response.head), context, nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(problem.body))), promise: nil)
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

  /// The time that the alarm was set for has come.
  private func ring(_ context: ChannelHandlerContext) {
    guard state != .closed else { return }
    if case .receiving(let end) = state {
      guard end <= .now() || lastRead + TimeAmount(timeouts.pause) <= .now() else {
        setAlarm(context)
        return
      }
      if !(isReceivingFirst && answerHasBegun) {
        refuse(Problem(.requestTimeout, "slow", "the body took too long to come"), context)
        return
      }
    }
    state = .closed
    context.close(promise: nil)
  }
}
#endif
