internal import NIOCore
internal import NIOHTTP1

/// A connection: the parser, the guard, and the responses to its requests.
struct ServiceChannel: Sendable {
  private let channel: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  private let connection: Connection
  private let service: PhotoService

  /// Prepares an accepted connection, on its event loop.
  init(_ channel: any Channel, _ service: PhotoService) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 8 << 10
    limits.maxHeaderListSize = 32 << 10
    limits.maxHeaderFieldCount = 100
    let pipeline = channel.pipeline.syncOperations
    // Pipelined requests are read one by one by their consumer, the guard responds to errors, and the service writes no
    // invalid fields.
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withErrorHandling: false,
      withOutboundHeaderValidation: false,
      withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: limits
    )
    connection = Connection(channel)
    try pipeline.addHandler(
      ConnectionGuard(
        connection,
        timeouts: service.configuration.timeouts,
        refused: service.note(refusal:)
      )
    )
    self.channel = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    self.service = service
  }

  /// Responds to one request after the other, until the connection ends.
  func serve() async {
    // An error is one of the connection, which is closed then.
    try? await channel.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      while case .head(let head)? = try await parts.next() {
        let request = HTTPRequest(head, parts, connection)
        let response = try await service.respond(to: request)
        try await outbound.write(contentsOf: response.parts(withBody: head.method != .HEAD))
        while try await request.receive() != nil {}
      }
    }
  }
}
