package import SystemPackage

/// The patterns of the files that a walk takes and the directories that it enters.
///
/// A pattern without a slash is matched against a name, one with a slash against the path below the root. `*`
/// matches any characters including slashes, `?` matches one, `[a-z]` one of a set; a backslash escapes the next
/// character. Matching is case-sensitive. Patterns are bytes, like names.
package struct PathFilter: Hashable, Sendable {
  /// Patterns of which one must match a file; if empty, all files match.
  package var included: [[UInt8]]
  /// Patterns of which none may match a file or a directory above it.
  package var excluded: [[UInt8]]

  package init(included: [[UInt8]] = [], excluded: [[UInt8]] = []) {
    self.included = included
    self.excluded = excluded
  }

  /// Whether there are no patterns.
  var isEmpty: Bool { included.isEmpty && excluded.isEmpty }

  /// Whether a file is taken.
  ///
  /// - Parameters:
  ///   - file: The file's path.
  ///   - root: The root that led to it.
  /// - Returns: Whether it is taken.
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
