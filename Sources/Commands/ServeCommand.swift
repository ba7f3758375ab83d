internal import ArgumentParser

#if Server
internal import FileSystem
internal import Upright
internal import UprightServer

/// `upright serve`: makes photographs upright over HTTP.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Make photographs upright over HTTP, with a page to drop them on.",
    discussion: """
      POST /normalize takes a photograph and answers with the upright one, POST /audit with a report. \
      Nothing is written, and nothing is kept. SIGTERM and SIGINT end the service when every request that has \
      begun is answered. There is no access control: let only those reach it who may use it. Requests for other \
      hosts than loopback, --host and --allowed-host are refused, and those that pages of other hosts send.
      """
  )

  @Option(help: "The name or address to listen at.")
  var host = ServiceConfiguration().host

  @Option(help: "The port to listen at; 0 for any that is free.")
  var port = ServiceConfiguration().port

  @Option(
    name: .customLong("allowed-host"),
    help: ArgumentHelp(
      "Answer for this host, too, and let its pages use the service; may be repeated.",
      valueName: "name"
    )
  )
  var allowedHosts: [HostName] = []

  @Option(help: ArgumentHelp("Work on so many photographs at once.", valueName: "count"))
  var jobs = ServiceConfiguration().workers

  @Option(help: ArgumentHelp("Let so many more wait for their transform.", valueName: "count"))
  var queue = ServiceConfiguration().queue

  @Option(help: ArgumentHelp("Refuse photographs of more than so many MiB.", valueName: "mib"))
  var maxSize = 64

  @Option(
    help: ArgumentHelp("Hold no more than so many MiB of photographs at once.", valueName: "mib")
  )
  var bodyMemory = 512

  @Option(help: ArgumentHelp("Give up a photograph after so many seconds.", valueName: "seconds"))
  var timeLimit = 30

  @Option(help: ArgumentHelp("Accept so many connections at once.", valueName: "count"))
  var connections = ServiceConfiguration().connections

  @Flag(
    help: """
      Print a line of JSON for each request on standard output: time, resource, status, bytes and what was done, \
      nothing of the photograph, no coordinates and no names.
      """
  )
  var log = false

  @Flag(help: "With --log: print the names of files and the targets of requests, too.")
  var logNames = false

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if logNames, !log { throw ValidationError("--log-names needs --log.") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
    guard (1...1024).contains(jobs) else { throw ValidationError("--jobs is 1 to 1024.") }
    guard (0...1 << 20).contains(queue) else { throw ValidationError("--queue is 0 or more.") }
    guard (1...2048).contains(maxSize) else { throw ValidationError("--max-size is 1 to 2048.") }
    guard (maxSize...1 << 20).contains(bodyMemory) else {
      throw ValidationError("--body-memory is no less than --max-size.")
    }
    guard (1...3600).contains(timeLimit) else {
      throw ValidationError("--time-limit is 1 to 3600.")
    }
    guard (1...1 << 20).contains(connections) else {
      throw ValidationError("--connections is 1 or more.")
    }
  }

  private static let warning = """
    warning: other machines can reach this service, which has no access control and no TLS; \
    put a proxy before it that has both, or listen at 127.0.0.1
    """

  func run() throws {
    var configuration = ServiceConfiguration()
    let limits = configuration.options
    configuration.options = policy.options
    if policy.transform.limits.memory == nil { configuration.options.maxMemory = limits.maxMemory }
    configuration.options.maxBytes = maxSize << 20
    configuration.options.timeLimit = .seconds(timeLimit)
    configuration.host = host
    configuration.port = port
    configuration.allowedHosts = allowedHosts
    configuration.workers = jobs
    configuration.queue = queue
    configuration.bodyMemory = bodyMemory << 20
    configuration.connections = connections
    configuration.version = UprightCommand.version
    let console = Console()
    if log { configuration.log = { console.line($0) } }
    configuration.logsNames = logNames
    do {
      let name = host.contains(":") ? "[\(host)]" : host
      let server = PhotographServer(configuration) { listening in
        Console().error("listening on http://\(name):\(listening.port)/")
        if listening.isReachable { Console().error(Self.warning) }
      }
      try server.run()
    } catch {
      console.error("cannot serve at \(host), port \(port): \(error)")
      throw ExitCode(2)
    }
  }
}

extension HostName: ExpressibleByArgument {
  /// A name, or an IP address.
  package init?(argument: String) { self.init(argument) }
}
#else

/// `upright serve`, in a build without it.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Make photographs upright over HTTP (not in this build).",
    discussion: "Build with: swift build -c release --product upright --traits Server"
  )

  @Argument(parsing: .allUnrecognized, help: .hidden)
  var arguments: [String] = []

  func run() throws {
    throw ValidationError(
      """
      This build has no service. Build it in with: \
      swift build -c release --product upright --traits Server
      """
    )
  }
}
#endif
