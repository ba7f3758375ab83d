import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import UprightServer

/// A configuration with a few changes.
func configuration(
  _ change: (inout ServiceConfiguration) -> Void = { _ in }
) -> ServiceConfiguration {
  var configuration = ServiceConfiguration()
  configuration.timeouts.farewell = .milliseconds(300)
  change(&configuration)
  return configuration
}

/// Runs a service on a free port while a test talks to it.
func serving<Value: Sendable>(
  _ configuration: ServiceConfiguration = configuration(),
  _ test: @escaping @Sendable (Client) async throws -> Value
) async throws -> Value {
  var configuration = configuration
  configuration.port = 0
  let server = try PhotoServer(configuration)
  let result: Result<Value, any Error>
  do { result = .success(try await test(Client(port: server.port))) } catch {
    result = .failure(error)
  }
  try await waiting { server.stop() }
  return try result.get()
}

/// Waits for a program on a separate thread, because the service needs the threads of tasks.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}

/// A client of the service, with a connection for each request.
struct Client: Sendable {
  let port: Int

  /// Sends a request, and reads the response even if it arrives before everything is sent.
  func execute(
    uri: String,
    method: HTTPMethod,
    headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) async throws -> Response {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel
          )
        }
      }
    var request = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
    request.headers.add(name: "Host", value: "localhost")
    request.headers.add(name: "Content-Length", value: "\(body.count)")
    let head = request
    return try await channel.executeThenClose { answers, requests in
      try? await requests.write(
        contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)]
      )
      var response: Response?
      for try await part in answers {
        switch part {
        case .head(let head) where head.status.code < 200: continue
        case .head(let head): response = Response(status: head.status, headers: head.headers)
        case .body(let body): response?.bytes += body.readableBytesView
        case .end: if let response { return response }
        }
      }
      throw Tool.Failure("the connection ended before the answer")
    }
  }

  /// Sends a photo.
  func post(
    _ path: String,
    _ body: [UInt8],
    _ headers: HTTPHeaders = [:]
  ) async throws -> Response {
    try await execute(uri: path, method: .POST, headers: headers, body: body)
  }

  /// Returns the response to bytes that a shell script writes to file descriptor 3.
  func answer(to script: String) async throws -> Tool {
    try await waiting {
      try Tool.run("bash", ["-c", "exec 3<>/dev/tcp/localhost/\(port)\n" + script])
    }
  }
}

extension Client {
  /// Returns the responses to bytes in order, until the service closes the connection.
  ///
  /// - Throws: ``Tool/Failure``, if it does not within 60 seconds.
  func send(_ bytes: [UInt8]) async throws -> [RawAnswer] {
    let script = "exec 3<>/dev/tcp/127.0.0.1/\(port); cat >&3; timeout 60 cat <&3"
    let tool = try await waiting { try Tool.run("bash", ["-c", script], input: bytes) }
    guard tool.status != 124 else {
      throw Tool.Failure("the connection stays open after: \(tool.text)")
    }
    return RawAnswer.all(in: tool.text)
  }

  /// The answers to a text.
  func send(_ text: String) async throws -> [RawAnswer] { try await send(Array(text.utf8)) }
}

/// A response as it was sent; its body is text.
struct RawAnswer: Sendable {
  var status: Int
  var head: String
  var body: String

  /// The answers in a text.
  static func all(in text: String) -> [RawAnswer] {
    text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { answer in
      let end = answer.range(of: "\r\n\r\n") ?? answer.endIndex..<answer.endIndex
      return RawAnswer(
        status: Int(answer.prefix(3)) ?? 0,
        head: String(answer[..<end.lowerBound]),
        body: String(answer[end.upperBound...])
      )
    }
  }

  /// A field of the head, by its name in lower case.
  func field(_ name: String) -> String? {
    for line in head.components(separatedBy: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }
}

extension Array {
  /// The element, where there is exactly one.
  var only: Element? { count == 1 ? first : nil }
}

/// A response of the service.
struct Response: Sendable {
  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  var bytes: [UInt8] = []

  /// The body as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A field of the header.
  func field(_ name: String) -> String? { headers.first(name: name) }

  /// The body as a JSON object.
  func object() throws -> NSDictionary {
    guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary else {
      throw Tool.Failure("the body is not an object")
    }
    return object
  }

  /// The code of the problem in the body.
  func problem() throws -> String {
    guard field("Content-Type") == "application/problem+json",
      let code = try object()["code"] as? String
    else { throw Tool.Failure("no problem: \(status) \(text)") }
    return code
  }
}
