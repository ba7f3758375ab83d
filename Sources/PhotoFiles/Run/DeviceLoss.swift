internal import FileSystem
internal import Synchronization
package import SystemPackage
package import Upright

/// Whether a device or a server went away during a run, which ends the run: all further files would fail.
package final class DeviceLoss: Sendable {
  private let folder = Mutex<FilePath?>(nil)

  /// Creates the state in which all are there.
  package init() {}

  /// The folder of the first file that was found to be gone; nil if there is none.
  package var lost: FilePath? { folder.withLock { $0 } }

  /// Notes the error of a file.
  ///
  /// An input/output error may be one of this file only, so its folder is listed.
  package func note(_ error: UprightError, of file: FilePath) {
    let problem = FileError.Problem(rawValue: error.code.rawValue)
    var folder = file.removingLastComponent()
    if folder.isEmpty { folder = "." }
    let isGone =
      problem == .deviceGone
      || [.inputOutput, .outcomeUnknown].contains(problem) && (try? Syscalls.list(folder)) == nil
    if isGone { self.folder.withLock { $0 = $0 ?? folder } }
  }
}
