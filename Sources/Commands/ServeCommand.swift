internal import ArgumentParser
internal import FileSystem
internal import SystemPackage

/// `upright serve`, which normalizes photos over HTTP: the command line of the program `upright-serve`.
///
/// That program is in the package `Server`. It gets the arguments as they are, and checks their values.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    _superCommandName: "upright",
    abstract: "Normalize photos over HTTP, with a web page for uploads.",
    discussion: """
      POST /normalize returns the upright photo, POST /audit a report. HEIC photos are converted to JPEG if \
      libheif is installed. Nothing is stored. On SIGTERM and \
      SIGINT, the service finishes the requests that have begun, then exits.

      There is no access control: allow access only to authorized users. Requests to hosts other than loopback, \
      --host and --allowed-host are refused, and so are requests from web pages of other hosts.
      """
  )

  @Option(help: "Name or address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "Port to listen on; 0 selects a free port.")
  var port = 8080

  @Option(
    name: .customLong("allowed-host"),
    help: ArgumentHelp(
      "Accept requests for this host and from its pages. May be repeated.",
      valueName: "name"
    )
  )
  var allowedHosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "Number of photos to process at once. Default: the number of cores.",
      valueName: "count"
    )
  )
  var jobs: Int?

  @Option(help: ArgumentHelp("Number of further photos that may wait.", valueName: "count"))
  var queue = 64

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
  var connections = 1024

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

  @OptionGroup var unchanged: UnchangedOption

  func run() throws {
    let program = "upright-serve"
    do throws(Errno) { try OtherProgram.become(program) } catch {
      Console().error(
        """
        \(program) cannot be started: \(error). The service is a program of its own, in the folder of upright or in PATH. \
        The packages have it; to build it: swift build -c release --package-path Server
        """
      )
      throw ExitCode(2)
    }
  }
}
