import Foundation

/// The library that makes system calls fail (tools/dev/faults/faults.c).
enum FaultLibrary {
  /// The built library, or why it cannot be built here.
  static let file = Result {
    let library = builtFolder.appending(path: "upright-serve-faults.so").path
    let source = Fixture.root.appending(path: "tools/dev/faults/faults.c").path
    let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source]
    let compiler = try (try? Tool.run("cc", arguments)) ?? Tool.run("clang", arguments)
    guard compiler.status == 0 else { throw Tool.Failure(compiler.errorText) }
    return library
  }

  /// Whether it can be built here.
  static var isUsable: Bool { (try? file.get()) != nil }
}
