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
