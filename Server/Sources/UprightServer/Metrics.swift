internal import Synchronization

/// The counters of the service, in the format of Prometheus.
final class Metrics: Sendable {
  private struct Counts {
    var requests: [String: Int] = [:]
    var photos: [String: Int] = [:]
    var received = 0
    var sent = 0
    /// The number of pieces of work that took at most each of the bounds, and the total number.
    var work = [Int](repeating: 0, count: Metrics.bounds.count + 1)
    var workSeconds = 0.0
  }

  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  private let counts = Mutex(Counts())

  /// Counts a request that was answered.
  func countRequest(_ route: String, status: Int) {
    counts.withLock { $0.requests["route=\"\(route)\",status=\"\(status)\"", default: 0] += 1 }
  }

  /// Counts a photo.
  func countPhoto(_ status: String, received: Int, sent: Int, took duration: Duration) {
    let seconds = duration / .seconds(1)
    counts.withLock {
      $0.photos["status=\"\(status)\"", default: 0] += 1
      $0.received += received
      $0.sent += sent
      $0.workSeconds += seconds
      for (index, bound) in (Self.bounds + [.infinity]).enumerated() where seconds <= bound {
        $0.work[index] += 1
      }
    }
  }

  /// Returns all metrics in the text format of Prometheus.
  ///
  /// - Returns: The lines of text.
  func text(gauges: [(name: String, help: String, value: Int)], version: String) -> String {
    let counts = counts.withLock { $0 }
    var lines: [String] = []
    func metric(_ name: String, _ type: String, _ help: String, _ samples: [String]) {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"] + samples
    }
    func labelled(_ name: String, _ values: [String: Int]) -> [String] {
      values.sorted { $0.key < $1.key }.map { "\(name){\($0.key)} \($0.value)" }
    }
    metric("upright_info", "gauge", "The version.", ["upright_info{version=\"\(version)\"} 1"])
    metric(
      "upright_requests_total",
      "counter",
      "Requests answered.",
      labelled("upright_requests_total", counts.requests)
    )
    metric(
      "upright_photos_total",
      "counter",
      "Photos by status.",
      labelled("upright_photos_total", counts.photos)
    )
    metric(
      "upright_photo_bytes_total",
      "counter",
      "Bytes of photos.",
      [
        "upright_photo_bytes_total{direction=\"in\"} \(counts.received)",
        "upright_photo_bytes_total{direction=\"out\"} \(counts.sent)",
      ]
    )
    let name = "upright_work_seconds"
    metric(
      name,
      "histogram",
      "Seconds of work on a photo.",
      zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts.work)
        .map { "\(name)_bucket{le=\"\($0)\"} \($1)" }
        + ["\(name)_sum \(counts.workSeconds)", "\(name)_count \(counts.work.last ?? 0)"]
    )
    for gauge in gauges {
      metric(gauge.name, "gauge", gauge.help, ["\(gauge.name) \(gauge.value)"])
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
