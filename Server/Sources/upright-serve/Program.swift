internal import Reports
internal import Synchronization
internal import UprightServer

/// The service, from its command line to its end.
enum Program {
  private static let usage = """
    Usage: upright serve [<options>]
      See 'upright serve --help' for more information.
    """

  private static let warning = """
    warning: other machines can reach this service, which has no access control and no TLS; use a reverse \
    proxy that provides both, or listen on 127.0.0.1
    """

  /// Runs the program in the arguments of the process, and ends the process with its exit status.
  static func run() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words {
    case ["--help"], ["-h"]: Stream.output.put(help)
    case ["--version"]: Stream.output.put(Version.current)
    case ["--problems"]: Stream.output.put(problems)
    default:
      do throws(Arguments.Failure) {
        Signals.end(serve(try Arguments(words)))
      } catch {
        Stream.error.put("Error: \(error.message)\n\(usage)")
        Signals.end(64)
      }
    }
  }

  /// The options; those of the service are described where people type them.
  private static var help: String {
    let options = Arguments.Option.all.map { option in
      let value = option.valueName.map { " <\($0)>" } ?? ""
      return "  --\(option.name)\(value)" + (option.help.isEmpty ? "" : "\n      \(option.help)")
    }
    return """
      OVERVIEW: The program that upright serve starts: normalizes photos over HTTP.

      USAGE: upright-serve [<options>]

      OPTIONS, which upright serve --help describes:
      \(options.joined(separator: "\n"))
      """
  }

  /// The problems of the service as JSON, for tools/dev/make-interfaces.
  private static var problems: String {
    JSONWriter.text { json in
      for problem in ProblemCode.allCases { json.field(problem.rawValue, problem.meaning) }
    }
  }

  /// Runs the service until a signal ends it, and returns the exit status.
  private static func serve(_ arguments: Arguments) -> Int32 {
    var configuration = arguments.configuration
    let others = configuration.otherOpenFiles
    let openFiles = OpenFileLimit.raise(to: arguments.connections + others)
    configuration.connections = min(
      arguments.connections,
      max(openFiles - others, openFiles / 2)
    )
    configuration.version = Version.current
    configuration.convertHEIF()
    if arguments.logs { configuration.log = { Stream.output.put($0) } }
    Signals.holdBack()
    let failure = Mutex<(any Error)?>(nil)
    let server: PhotoServer
    do {
      server = try PhotoServer(configuration) { error in
        failure.withLock { $0 = error }
        Signals.request()
      }
    } catch {
      let place = "\(configuration.host), port \(configuration.port)"
      Stream.error.put("cannot listen on \(place): \(words(error))")
      return 2
    }
    let host = configuration.host
    let name = host.contains(":") ? "[\(host)]" : host
    Stream.error.put("listening on http://\(name):\(server.port)/")
    if server.isReachable { Stream.error.put(warning) }
    if configuration.connections < arguments.connections {
      Stream.error.put(
        "warning: --connections is \(configuration.connections), because the process may have only \(openFiles) files open (ulimit -n)"
      )
    }
    Signals.wait()
    let hasFailed = !server.isListening
    if hasFailed {
      let cause = failure.withLock { $0 }.map { ": \(words($0))" } ?? ""
      Stream.error.put("the service ends, because it cannot accept connections any more\(cause)")
    }
    server.stop()
    return hasFailed ? 2 : 0
  }

  /// Returns an error of the network in words: NIO describes it with the signature of a function, or the name of a type.
  private static func words(_ error: any Error) -> String {
    let text = "\(error)"
    if text.contains("UnknownHost") { return "the host is unknown" }
    guard let start = text.firstRange(of: "(errno: ")?.upperBound,
      let number = CInt(text[start...].prefix { $0.isNumber })
    else { return text }
    return SystemError.words(number)
  }
}
