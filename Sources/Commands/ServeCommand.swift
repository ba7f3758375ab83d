internal import ArgumentParser

#if Server
internal import Conversion
internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import Synchronization
internal import SystemPackage
internal import Upright
internal import UprightServer

/// `upright serve`, which normalizes photos over HTTP.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    _superCommandName: "upright",
    abstract: "Normalize photos over HTTP, with a web page for uploads.",
    discussion: """
      POST /normalize returns the upright photo, POST /audit a report. HEIC photos are converted to JPEG if \
      this build can convert. Nothing is stored. On SIGTERM and \
      SIGINT, the service finishes the requests that have begun, then exits.

      There is no access control: allow access only to authorized users. Requests to hosts other than loopback, \
      --host and --allowed-host are refused, and so are requests from web pages of other hosts.
      """
  )

  @Option(help: "Name or address to listen on.")
  var host = ServiceConfiguration().host

  @Option(help: "Port to listen on; 0 selects a free port.")
  var port = ServiceConfiguration().port

  @Option(
    name: .customLong("allowed-host"),
    help: ArgumentHelp(
      "Accept requests for this host and from its pages. May be repeated.",
      valueName: "name"
    )
  )
  var allowedHosts: [HostName] = []

  @Option(
    help: ArgumentHelp(
      "Number of photos to process at once. Default: the number of cores.",
      valueName: "count"
    )
  )
  var jobs: Int?

  @Option(help: ArgumentHelp("Number of further photos that may wait.", valueName: "count"))
  var queue = ServiceConfiguration().queue

  @Option(help: ArgumentHelp("Refuse photos of more than this many MiB.", valueName: "mib"))
  var maxSize = 64

  @Option(
    help: ArgumentHelp("Limit photos in memory to this many MiB in total.", valueName: "mib")
  )
  var bodyMemory = 512

  @Option(
    help: ArgumentHelp(
      "Abort the work on a photo after this many seconds.",
      valueName: "seconds"
    )
  )
  var timeLimit = 30

  @Option(help: ArgumentHelp("Maximum number of open connections.", valueName: "count"))
  var connections = ServiceConfiguration().connections

  @Flag(
    help: """
      Print a line of JSON to standard output for each request: time, resource, status, bytes and action. It \
      contains no file names, coordinates or other data of the photo.
      """
  )
  var log = false

  @Flag(help: "With --log, also print file names and request targets.")
  var logNames = false

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if logNames, !log { throw ValidationError("--log-names requires --log.") }
    try (0...65_535).check(port, of: "--port")
    try (1...1024).check(jobs ?? 1, of: "--jobs")
    try (0...1 << 20).check(queue, of: "--queue")
    try (1...2048).check(maxSize, of: "--max-size")
    guard (maxSize...1 << 20).contains(bodyMemory) else {
      throw ValidationError("--body-memory must not be less than --max-size.")
    }
    try (1...3600).check(timeLimit, of: "--time-limit")
    guard (1...1 << 20).contains(connections) else {
      throw ValidationError("--connections must be at least 1.")
    }
  }

  /// Converts HEIF photos; nil if this build cannot.
  private var conversion:
    (@Sendable ([UInt8], String, Options) throws -> ServiceConfiguration.Conversion)?
  {
    guard FileConversion.problem == nil else { return nil }
    let (maxBytes, timeLimit) = (maxSize << 20, Duration.seconds(timeLimit))
    return { file, name, options in
      // Decoders need up to 20 bytes per pixel.
      let maxPixels = min(options.maxPixels, (options.maxMemory ?? .max) / 20)
      let decoder = IsolatedDecoder(maxPixels: maxPixels, maxBytes: maxBytes, timeLimit: timeLimit)
      var converter = Converter()
      converter.options = options
      let path: FilePath = "photo"
      do {
        let image = try decoder.decode(FileReader(file, named: path))
        let outcome = try converter.convert(image)
        switch outcome {
        case .converted(let result):
          var report = JSONReport(
            FileReport(path: path, result: .conversion(.init(outcome: outcome)))
          )
          report.path = name
          return .init(
            report: report.jsonLine,
            transform: result.transform == .none ? nil : result.transform,
            photo: result.bytes
          )
        case .skipped(let reason): throw UprightError(.malformed, reason.cause)
        }
      } catch let error as FileError {
        throw UprightError(.decoderFailed, error.message)
      }
    }
  }

  private static let warning = """
    warning: other machines can reach this service, which has no access control and no TLS; use a reverse \
    proxy that provides both, or listen on 127.0.0.1
    """

  func run() throws {
    var configuration = ServiceConfiguration()
    let limits = configuration.options
    configuration.options = policy.options
    if policy.transform.details.memory == nil { configuration.options.maxMemory = limits.maxMemory }
    configuration.options.maxBytes = maxSize << 20
    configuration.options.timeLimit = .seconds(timeLimit)
    configuration.host = host
    configuration.port = port
    configuration.allowedHosts = allowedHosts
    if let jobs { configuration.workers = jobs }
    configuration.queue = queue
    configuration.bodyMemory = bodyMemory << 20
    let others = configuration.otherOpenFiles
    let openFiles = OpenFileLimit.raise(to: connections + others)
    configuration.connections = min(connections, max(openFiles - others, openFiles / 2))
    configuration.version = Version.current
    configuration.convert = conversion
    let console = Console()
    if log { configuration.log = { console.line($0) } }
    configuration.logsNames = logNames
    Interruption.holdBack()
    let failure = Mutex<(any Error)?>(nil)
    let server: PhotoServer
    do {
      server = try PhotoServer(configuration) { error in
        failure.withLock { $0 = error }
        Interruption.request()
      }
    } catch {
      console.error("cannot listen on \(host), port \(port): \(Self.words(error))")
      throw ExitCode(2)
    }
    let name = host.contains(":") ? "[\(host)]" : host
    console.error("listening on http://\(name):\(server.port)/")
    if server.isReachable { console.error(Self.warning) }
    if configuration.connections < connections {
      console.error(
        "warning: --connections is \(configuration.connections), because the process may have only \(openFiles) files open (ulimit -n)"
      )
    }
    Interruption.wait()
    let hasFailed = !server.isListening
    if hasFailed {
      let cause = failure.withLock { $0 }.map { ": \(Self.words($0))" } ?? ""
      console.error("the service ends, because it cannot accept connections any more\(cause)")
    }
    server.stop()
    if hasFailed { throw ExitCode(2) }
  }

  /// Returns an error of the network in words: NIO describes it with the signature of a function, or the name of a type.
  private static func words(_ error: any Error) -> String {
    let text = "\(error)"
    if text.contains("UnknownHost") { return "the host is unknown" }
    guard let start = text.firstRange(of: "(errno: ")?.upperBound,
      let number = CInt(text[start...].prefix { $0.isNumber })
    else { return text }
    return Errno(rawValue: number).description
  }
}
#else

/// `upright serve` in a build without the trait `Server`.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    _superCommandName: "upright",
    abstract: "Normalize photos over HTTP (not in this build).",
    discussion: "Build with: swift build -c release --product upright --traits Server"
  )

  @Argument(parsing: .allUnrecognized, help: .hidden)
  var arguments: [String] = []

  func run() throws {
    throw ValidationError(
      """
      This build does not include the service. To include it: swift build -c release --product upright --traits \
      Server
      """
    )
  }
}
#endif
