internal import ArgumentParser
internal import SystemPackage

/// A program whose name and command line Upright takes.
enum CompatibleProgram: String, CaseIterable, ExpressibleByArgument {
  case exifautotran, exiftran, jhead, jpegtran

  /// The Debian package of the original program.
  private var package: String {
    switch self {
    case .jpegtran, .exifautotran: "libjpeg-turbo-progs"
    case .exiftran, .jhead: rawValue
    }
  }

  /// Returns the program as which the process was called, and the arguments of that program.
  ///
  /// - Returns: The program and its arguments, or nil for `upright` itself.
  static func called(_ arguments: [String]) -> (program: CompatibleProgram, arguments: [String])? {
    let path = FilePath(CommandLine.arguments.first ?? "")
    if let name = path.lastComponent, let program = CompatibleProgram(rawValue: name.string) {
      return (program, arguments)
    }
    guard arguments.count > 1, arguments[0] == "as",
      let program = CompatibleProgram(rawValue: arguments[1])
    else { return nil }
    return (program, Array(arguments.dropFirst(2)))
  }

  /// Does what the arguments request.
  func run(_ arguments: [String]) -> Int32 {
    let console = Console()
    do throws(CompatibilityError) {
      switch try request(arguments) {
      case .text(let text):
        if !text.isEmpty { console.line(text) }
        return console.status(0)
      case .work(let work): return work.run(as: self)
      }
    } catch {
      console.error("\(rawValue): \(text(error))")
      return 1
    }
  }

  private func request(_ arguments: [String]) throws(CompatibilityError) -> CompatibleRequest {
    switch self {
    case .exifautotran: try ExifautotranArguments.request(arguments)
    case .exiftran: try ExiftranArguments.request(arguments)
    case .jhead: try JheadArguments.request(arguments)
    case .jpegtran: try JpegtranArguments.request(arguments)
    }
  }

  private func text(_ error: CompatibilityError) -> String {
    switch error {
    case .usage(let text): text
    case .unsupported(let words):
      "Upright has no \(words). Use the original \(rawValue) for it (Debian package \(package))."
    }
  }
}

/// What a call of a program requests.
enum CompatibleRequest {
  /// A text to print, such as the version.
  case text(String)
  case work(CompatibleWork)
}

/// An error in the arguments of a program.
enum CompatibilityError: Error {
  /// The arguments are wrong for the original program, too.
  case usage(String)
  /// Only the original program can do this.
  case unsupported(String)
}
