internal import SystemPackage

/// Paths on the command line, with the bytes that they were given with.
///
/// The parser works on strings, in which bytes that are no UTF-8 were replaced.
enum ArgumentPath {
  private static let rawArguments: [String: FilePath] = {
    var paths: [String: FilePath] = [:]
    for index in 0..<Int(CommandLine.argc) {
      guard let raw = unsafe CommandLine.unsafeArgv[index] else { continue }
      paths[unsafe String(cString: raw)] = unsafe FilePath(platformString: raw)
    }
    return paths
  }()

  /// The path that an argument stands for.
  static func path(_ argument: String) -> FilePath {
    rawArguments[argument] ?? FilePath(argument)
  }
}
