public import ImageOrientation
internal import NIOCore
public import Upright

/// The configuration of a service: its address, options and limits.
public struct ServiceConfiguration: Sendable {
  /// The name or address to listen on; loopback by default, so that other machines cannot connect.
  public var host = "127.0.0.1"
  /// The port; 0 for any free port.
  public var port = 8080
  /// The hosts that the service accepts in addition to loopback and ``host``.
  public var allowedHosts: [HostName] = []
  /// The default policies, and the limits for each photo.
  public var options: Options
  /// The number of photos that are processed at once.
  public var workers = System.coreCount
  /// The number of further photos that may wait.
  public var queue = 64
  /// Converts a HEIF photo, given its bytes, its name and the options; nil if the service does not convert.
  public var convert:
    (
      @Sendable (_ file: [UInt8], _ name: String, _ options: Options) throws -> ConversionOutcome
    )?
  /// The maximum number of bytes of bodies in memory.
  public var bodyMemory = 512 << 20
  /// The maximum number of open connections.
  public var connections = 1024
  /// The number of files that may be open besides connections: those of event loops, threads and decoders.
  ///
  /// libdispatch ends a process that has no file descriptor left.
  public var otherOpenFiles: Int { 64 + 4 * System.coreCount + 8 * workers }
  /// The time limits for clients.
  public var timeouts = Timeouts()
  /// Called for each line of the request log, without a line end; nil for no log.
  public var log: (@Sendable (String) -> Void)?
  /// Whether the log contains file names and request targets.
  public var logsNames = false
  /// The version that `/metrics` reports.
  public var version = ""

  /// What became of a HEIF photo.
  public enum ConversionOutcome: Sendable {
    /// The JPEG file.
    case converted(Conversion)
    /// Why the photo stays as it is.
    case skipped(Reason)
  }

  /// A HEIF photo that was converted to a JPEG file.
  public struct Conversion: Sendable {
    /// The report as JSON.
    public var report: String
    /// The transform of the decoded image, or nil.
    public var transform: OrientationTransform?
    /// The number of changes in the report.
    public var changes: Int
    /// The JPEG file.
    public var photo: [UInt8]

    /// Creates a converted photo.
    public init(report: String, transform: OrientationTransform?, changes: Int, photo: [UInt8]) {
      self.report = report
      self.transform = transform
      self.changes = changes
      self.photo = photo
    }
  }

  /// The time limits of a connection.
  public struct Timeouts: Sendable {
    /// For the head of a request, from the moment that the connection waits for one.
    public var head = Duration.seconds(15)
    /// Between two parts of a body.
    public var pause = Duration.seconds(10)
    /// For a whole body.
    public var body = Duration.seconds(60)
    /// For the response, from the end of the body until it begins: waiting and work.
    public var answer = Duration.seconds(120)
    /// For the client to read the response.
    public var taking = Duration.seconds(60)
    /// For a client that still sends after the last response, so that it can read it.
    public var farewell = Duration.seconds(2)

    /// Creates the default limits.
    public init() {}
  }

  /// The defaults: 64 MiB, 1 GiB of memory and 30 seconds for each photo.
  public init() {
    options = Options()
    options.maxBytes = 64 << 20
    options.maxMemory = 1 << 30
    options.timeLimit = .seconds(30)
  }
}
