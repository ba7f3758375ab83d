import SystemPackage

/// An injected failure of a system call, or of all calls from it on.
struct Fault: Sendable, CustomStringConvertible {
  /// The ways of `tools/dev/faults/faults.c`.
  enum Way: String, Sendable {
    case fail, late, blind, short, end, fill, full, fixed, gone, kill, term

    /// Whether later calls fail as well.
    var lasts: Bool { [.fill, .full, .fixed, .gone].contains(self) }
  }

  var call: SystemCall
  var way: Way
  var error: Errno?

  /// The arguments of the library.
  var instruction: String {
    "\(call.name) \(call.number) \(way.rawValue) \(error?.rawValue ?? 0) \(call.file)"
  }

  var description: String {
    let code = error.map { " \(Self.names[$0] ?? "\($0)")" } ?? ""
    return "\(call.name) \(call.number) of \(call.file): \(way.rawValue)\(code)"
  }

  private static let names: [Errno: String] = [
    .ioError: "EIO", .noSpace: "ENOSPC", .interrupted: "EINTR", .permissionDenied: "EACCES",
    .tooManyOpenFiles: "EMFILE", .notPermitted: "EPERM", .notSupported: "ENOTSUP",
    .diskQuotaExceeded: "EDQUOT", .staleNFSFileHandle: "ESTALE", .noLocks: "ENOLCK",
    .readOnlyFileSystem: "EROFS", .invalidArgument: "EINVAL",
    .fileExists: "EEXIST", .tooManyLinks: "EMLINK", .noMemory: "ENOMEM", .timedOut: "ETIMEDOUT",
  ]

  /// The errors that file systems report for a call.
  private static func errors(of call: SystemCall) -> [Errno] {
    switch call.name {
    case "open": [.ioError, .tooManyOpenFiles, .permissionDenied, .interrupted]
    case "opendir", "realpath": [.ioError, .permissionDenied, .noMemory]
    case "write": [.ioError, .noSpace, .diskQuotaExceeded, .interrupted]
    case "read", "pread": [.ioError, .staleNFSFileHandle, .interrupted]
    case "fsync": [.ioError, .noSpace, .interrupted]
    case "fstat", "fstatat", "stat", "lstat": [.ioError, .staleNFSFileHandle, .permissionDenied]
    case "rename": [.ioError, .permissionDenied, .noSpace]
    case "renameat2": [.ioError, .invalidArgument, .fileExists]
    case "link": [.ioError, .tooManyLinks, .notPermitted, .fileExists]
    case "flock": [.ioError, .noLocks]
    case "fchown", "fchmod", "futimens": [.ioError, .notPermitted]
    case "flistxattr": [.ioError, .noMemory]
    case "fgetxattr", "fsetxattr": [.ioError, .notSupported, .noSpace]
    default: [.ioError, .noSpace]
    }
  }

  /// All failures of a call with all errors.
  private static func all(of call: SystemCall) -> [Fault] {
    var faults = errors(of: call).map { Fault(call: call, way: .fail, error: $0) }
    func add(_ way: Way, _ error: Errno? = nil) {
      faults.append(Fault(call: call, way: way, error: error))
    }
    if ["write", "read", "pread"].contains(call.name) { add(.short) }
    if ["read", "pread"].contains(call.name) { add(.end) }
    guard !call.isOutput else { return faults }
    if call.name == "write" { add(.fill, .noSpace) }
    add(.gone, .ioError)
    add(.term)
    guard call.changes else { return faults }
    add(.kill)
    add(.late, .ioError)
    add(.late, .timedOut)
    add(.fixed, .readOnlyFileSystem)
    if call.needsRoom { add(.full, .noSpace) }
    return faults
  }

  /// Faults of the calls of a run.
  ///
  /// - Parameters:
  ///   - calls: The calls.
  ///   - every: Whether to give all; otherwise one of every twelfth call that only reads, and one of every other that
  ///     changes something: in turn a failure, a kill, an error that comes late, and one of the others.
  ///   - offset: What is first, which differs between commands.
  /// - Returns: The faults, in the order of the calls.
  static func all(of calls: [SystemCall], every: Bool, offset: Int) -> [Fault] {
    var counts: [String: Int] = [:]
    return calls.enumerated().flatMap { index, call in
      let faults = all(of: call)
      guard !every else { return faults }
      // So that the same call of another file gets another fault.
      let count = counts[call.name, default: offset]
      counts[call.name] = count + 1
      func one(_ matches: (Way) -> Bool) -> [Fault] {
        let some = faults.filter { matches($0.way) }
        return some.isEmpty ? [] : [some[count / 8 % some.count]]
      }
      guard call.changes, !call.isOutput else {
        return index % 12 == 3 ? one { _ in true } : []
      }
      guard count % 2 == 0 else { return [] }
      return switch count / 2 % 4 {
      case 0: one { $0 == .fail }
      case 1: one { $0 == .kill }
      case 2: one { $0 == .late }
      default: one { ![.fail, .late, .kill].contains($0) }
      }
    }
  }
}
