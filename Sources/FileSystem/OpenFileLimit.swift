internal import CFileSystem

/// The number of files, connections among them, that the process may have open.
package enum OpenFileLimit {
  /// Raises the limit to a number, or as far as the system allows.
  ///
  /// - Returns: The limit.
  package static func raise(to number: Int) -> Int {
    Int(clamping: raise_file_limit(UInt64(max(number, 0))))
  }
}
