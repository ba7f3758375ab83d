#if Server
internal import NIOCore
package import Upright

/// What a service does, where it listens and how much it takes on at once.
package struct ServiceConfiguration: Sendable {
  /// The name or address to listen at; loopback by default, so that nobody else reaches the service.
  package var host = "127.0.0.1"
  /// The port; 0 for any that is free.
  package var port = 8080
  /// The hosts that it answers for, and whose pages may use it, beside loopback and ``host``.
  package var allowedHosts: [HostName] = []
  /// What is done with photographs where a request asks for nothing else, and the limits of each.
  package var options: Options
  /// How many photographs are worked on at once.
  package var workers = System.coreCount
  /// How many more may wait for their transform.
  package var queue = 64
  /// How many bytes of bodies the service holds at once.
  package var bodyMemory = 512 << 20
  /// How many connections are accepted at once.
  package var connections = 1024
  /// The patience with slow clients.
  package var timeouts = Timeouts()
  /// Takes the lines of the request log, each without a line end; nil for no log.
  package var log: (@Sendable (String) -> Void)?
  /// Whether the log has the names of files and the targets of requests.
  package var logsNames = false
  /// The version that `/metrics` tells.
  package var version = ""

  /// How long a connection may take for what.
  package struct Timeouts: Sendable {
    /// For the head of a request, from the moment that the connection waits for one.
    package var head = Duration.seconds(15)
    /// Between two parts of a body.
    package var pause = Duration.seconds(10)
    /// For a whole body.
    package var body = Duration.seconds(60)
    /// For the answer, from the end of the body until it begins: waiting and work.
    package var answer = Duration.seconds(120)
    /// For the client to take the answer.
    package var taking = Duration.seconds(60)
    /// For a client that still sends after its answer, so that it comes to read that.
    package var farewell = Duration.seconds(2)

    package init() {}
  }

  /// The defaults: 64 MiB, 1 GiB of memory and 30 seconds for each photograph.
  package init() {
    options = Options()
    options.maxBytes = 64 << 20
    options.maxMemory = 1 << 30
    options.timeLimit = .seconds(30)
  }
}
#endif
