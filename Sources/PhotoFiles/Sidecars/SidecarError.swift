internal import FileSystem

/// Why the sidecar of a photo, and therefore the photo, could not be written.
struct SidecarError: Error {
  var error: FileError

  /// Runs work on a sidecar.
  static func of<Value>(
    _ work: () throws(FileError) -> Value
  ) throws(SidecarError) -> Value {
    do throws(FileError) { return try work() } catch { throw SidecarError(error: error) }
  }
}

extension Error {
  /// Whether a sidecar cannot be read because of what it is, and not because of the system.
  var isLasting: Bool {
    guard let error = self as? SidecarError else { return !(self is FileError) }
    return [.danglingLink, .linkLoop, .tooLarge, .isFIFO, .isSocket, .isDevice]
      .contains(error.error.problem)
  }
}
