internal import NIOCore
internal import NIOHTTP1
internal import Reports
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes a line of JSON for each request.
///
/// Of a photo, a line contains only the size and the result. It contains no client address. The file name and
/// the request target are written only if the configuration enables it.
final class RequestLog: Sendable {
  /// The values of a log line, collected while the request is processed.
  final class Entry: Sendable {
    /// The values that a line may have.
    struct Values: Sendable {
      var name: String?
      var received: Int?
      /// The result for the photo, as in reports.
      var action: String?
      /// The code of a problem.
      var code: String?
    }

    private let start = ContinuousClock.now
    private let values = Mutex(Values())

    /// Sets values.
    func note(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }

    fileprivate var known: Values { values.withLock { $0 } }
    fileprivate var milliseconds: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }
  }

  /// A line.
  private struct Line {
    var time = Date().ISO8601Format()
    var method: String?
    var resource: String
    var status: Int
    var code: String?
    var action: String?
    var received: Int?
    var sent: Int?
    var milliseconds: Int?
    var name: String?
    var target: String?

    var text: String {
      JSONWriter.text { json in
        json.field("action", action)
        json.field("code", code)
        json.field("method", method)
        json.field("milliseconds", milliseconds)
        json.field("name", name)
        json.field("received", received)
        json.field("resource", resource)
        json.field("sent", sent)
        json.field("status", status)
        json.field("target", target)
        json.field("time", time)
      }
    }
  }

  private let write: @Sendable (String) -> Void
  private let hasNames: Bool

  /// Creates the log of a configuration; nil if it has none.
  init?(_ configuration: ServiceConfiguration) {
    guard let write = configuration.log else { return nil }
    self.write = write
    hasNames = configuration.logsNames
  }

  /// Writes the line of a request that was answered.
  func write(_ request: HTTPRequest, _ resource: Resource?, _ response: HTTPResponse) {
    let known = request.entry.known
    let line = Line(
      method: resource == nil && !hasNames ? nil : request.head.method.rawValue,
      resource: resource?.name ?? "other",
      status: response.status,
      code: known.code,
      action: known.action,
      received: known.received,
      sent: response.body.readableBytes,
      milliseconds: request.entry.milliseconds,
      name: hasNames ? known.name : nil,
      target: hasNames ? request.head.uri : nil
    )
    write(line.text)
  }

  /// Writes the line of a request that was refused before it reached the service.
  func write(_ problem: Problem) {
    write(Line(resource: "other", status: Int(problem.status.code), code: problem.code).text)
  }
}
