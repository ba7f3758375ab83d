#if Server
import Fixtures
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
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
func serving<Value>(
  _ configuration: ServiceConfiguration = configuration(),
  _ test: @escaping @Sendable (any TestClientProtocol) async throws -> Value
) async throws -> Value {
  try await PhotographServer(configuration).application.test(.live) { try await test($0) }
}

/// Waits for a program on a thread of its own: those of tasks are for the service.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}

extension TestClientProtocol {
  /// Sends a photograph.
  func post(
    _ path: String,
    _ body: [UInt8],
    _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    try await execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  /// What the service answers to bytes that a shell script writes to file 3.
  func answer(to script: String) async throws -> Tool {
    let port = port ?? 0
    return try await waiting {
      try Tool.run("bash", ["-c", "exec 3<>/dev/tcp/localhost/\(port)\n" + script])
    }
  }
}

extension Tool {
  /// Standard output as lines.
  var lines: [Substring] { text.split(separator: "\n") }
}

extension TestResponse {
  var bytes: [UInt8] { Array(body.readableBytesView) }

  /// The body as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A field that the service makes up.
  func field(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { headers[$0] }
  }

  /// The body as a JSON object.
  func object() throws -> NSDictionary {
    guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary else {
      throw Tool.Failure("the body is not an object")
    }
    return object
  }

  /// The code of the problem that the body tells of.
  func problem() throws -> String {
    guard headers[.contentType] == "application/problem+json",
      let code = try object()["code"] as? String
    else { throw Tool.Failure("no problem: \(status) \(text)") }
    return code
  }
}

/// The binary, which stands beside the test bundle.
let binary = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
  .deletingLastPathComponent().appending(path: "upright")
#endif
