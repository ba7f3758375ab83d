internal import Upright
internal import UprightServer

/// What the command line sets.
struct Arguments {
  var configuration = ServiceConfiguration()
  /// Whether requests are logged.
  private(set) var logs = false
  /// The maximum number of connections that is requested; the process may have fewer.
  private(set) var connections = ServiceConfiguration().connections

  /// A wrong use.
  struct Failure: Error { var message: String }

  /// Reads the words of a command line, each option as two words or with an equals sign.
  init(_ words: [String]) throws(Failure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = Option.all.first(where: { "--" + $0.name == parts[0] }) else {
        throw Failure(message: "Unknown option '\(word)'")
      }
      var value = parts.count > 1 ? String(parts[1]) : nil
      if option.valueName == nil {
        guard value == nil else { throw Failure(message: "--\(option.name) has no value.") }
      } else if value == nil {
        value = rest.popFirst()
        guard value != nil else { throw Failure(message: "Missing value for '--\(option.name)'") }
      }
      try option.take(&self, value ?? "")
    }
    let maxBytes = configuration.options.maxBytes ?? 0
    guard (maxBytes...1 << 40).contains(configuration.bodyMemory) else {
      throw Failure(message: "--body-memory must not be less than --max-size.")
    }
    guard logs || !configuration.logsNames else {
      throw Failure(message: "--log-names requires --log.")
    }
  }
}

extension Arguments {
  /// An option of the command line; the help of `upright serve` describes those that are not policies.
  struct Option: Sendable {
    /// The name without dashes.
    let name: String
    /// What the value is; nil if there is none.
    let valueName: String?
    let help: String
    /// Takes the value.
    let take: @Sendable (inout Arguments, String) throws(Failure) -> Void

    init(
      _ name: String,
      _ valueName: String?,
      _ help: String = "",
      _ take: @escaping @Sendable (inout Arguments, String) throws(Failure) -> Void
    ) {
      (self.name, self.valueName, self.help, self.take) = (name, valueName, help, take)
    }

    /// An option whose value is a number.
    static func number(
      _ name: String,
      _ valueName: String,
      _ range: ClosedRange<Int>,
      _ take: @escaping @Sendable (inout Arguments, Int) -> Void
    ) -> Option {
      Option(name, valueName) { arguments, value throws(Failure) in
        guard let number = Int(value), range.contains(number) else {
          throw Failure(
            message: "--\(name) must be from \(range.lowerBound) to \(range.upperBound)."
          )
        }
        take(&arguments, number)
      }
    }

    static let all = service + policies + limits

    private static let service = [
      Option("host", "host") { $0.configuration.host = $1 },
      number("port", "port", 0...65_535) { $0.configuration.port = $1 },
      Option("allowed-host", "name") { arguments, value throws(Failure) in
        guard let host = HostName(value) else {
          throw Failure(message: "The value '\(value)' is invalid for '--allowed-host <name>'")
        }
        arguments.configuration.allowedHosts.append(host)
      },
      number("jobs", "count", 1...1024) { $0.configuration.workers = $1 },
      number("queue", "count", 0...1 << 20) { $0.configuration.queue = $1 },
      number("max-size", "mib", 1...2048) { $0.configuration.options.maxBytes = $1 << 20 },
      number("body-memory", "mib", 0...1 << 20) { $0.configuration.bodyMemory = $1 << 20 },
      number("time-limit", "seconds", 1...3600) {
        $0.configuration.options.timeLimit = .seconds($1)
      },
      number("connections", "count", 1...1 << 20) { $0.connections = $1 },
      Option("log", nil) { arguments, _ in arguments.logs = true },
      Option("log-names", nil) { arguments, _ in arguments.configuration.logsNames = true },
    ]

    /// The policies that a request can set, too.
    private static let policies = Setting.policies.map { policy in
      let isFlag = policy.values.isEmpty
      return Option(policy.name, isFlag ? nil : "policy", policy.help) {
        arguments,
        value throws(Failure) in
        do throws(UprightError) {
          let value = isFlag ? "true" : value
          _ = try arguments.configuration.options.setPolicy(policy.name, to: value)
        } catch { throw Failure(message: "--" + error.message) }
      }
    }

    private static let limits = [
      Option("lossless-only", nil) { arguments, _ in
        arguments.configuration.options.unaligned = .skip
      },
      number("max-pixels", "count", 0...Int.max) { $0.configuration.options.maxPixels = $1 },
      number("max-scans", "count", 0...Int.max) { $0.configuration.options.maxScans = $1 },
      number("memory", "mib", 0...1 << 40) { $0.configuration.options.maxMemory = $1 << 20 },
    ]
  }
}
