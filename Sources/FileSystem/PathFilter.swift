package import SystemPackage

/// Which files a walk takes, and which directories it enters, by their names.
///
/// A pattern without a slash is compared with a name, one with a slash with the path below the root.
/// `*` stands for any characters, slashes among them, `?` for one, `[a-z]` for one of a set; a backslash
/// takes the next character as it is. Case counts. Patterns are bytes, as names are.
package struct PathFilter: Hashable, Sendable {
  /// One of these must match a file; none means all.
  package var included: [[UInt8]]
  /// None of these may match a file, or a directory on the way to it.
  package var excluded: [[UInt8]]

  package init(included: [[UInt8]] = [], excluded: [[UInt8]] = []) {
    self.included = included
    self.excluded = excluded
  }

  /// Whether everything passes.
  var isEmpty: Bool { included.isEmpty && excluded.isEmpty }

  /// Whether a file is taken.
  ///
  /// - Parameters:
  ///   - file: The file's path.
  ///   - root: The root that led to it.
  /// - Returns: Whether it is.
  package func takes(_ file: FilePath, below root: FilePath) -> Bool {
    isEmpty
      || (included.isEmpty || matches(included, file, root)) && !matches(excluded, file, root)
  }

  /// Whether a directory is entered.
  func enters(_ directory: FilePath, below root: FilePath) -> Bool {
    excluded.isEmpty || !matches(excluded, directory, root)
  }

  private func matches(_ patterns: [[UInt8]], _ path: FilePath, _ root: FilePath) -> Bool {
    patterns.contains { pattern in
      guard pattern.contains(UInt8(ascii: "/")) else {
        return path.lastComponent.map { Syscalls.matches($0.bytes, pattern: pattern) } ?? false
      }
      var relative = path
      if relative == root || !relative.removePrefix(root) { relative = path }
      return Syscalls.matches(relative.bytes, pattern: pattern)
    }
  }
}
