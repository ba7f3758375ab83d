import FileSystem
import Fixtures
import Foundation
import SystemPackage

/// The files of a folder at a moment, by their paths in it.
typealias Snapshot = [String: FileState]

/// A file at a moment, with what a rewrite keeps besides its content.
struct FileState: Equatable, Sendable {
  var bytes: [UInt8]
  var permissions: mode_t
  var modified: Timestamp
  /// The value of ``attribute``; nil where the file has none.
  var value: [UInt8]?

  /// An extended attribute, such as a desktop sets.
  static let attribute = Array("user.upright-test".utf8)

  /// A photo or another file that nobody has touched for long.
  static func original(_ bytes: [UInt8]) -> FileState {
    FileState(
      bytes: bytes,
      permissions: 0o640,
      modified: Timestamp(seconds: 1_000_000_000, nanoseconds: 123_456_789),
      value: Array("a value".utf8)
    )
  }
}

extension Scratch {
  /// All files that are there now.
  func snapshot() throws -> Snapshot {
    try Dictionary(
      uniqueKeysWithValues: files().map { name in
        let place = FilePath(path(name))
        let file = try FileDescriptor.open(place, .readOnly)
        defer { try? file.close() }
        let identity = try Syscalls.status(place, followingLinks: true)
        let state = FileState(
          bytes: try read(name),
          permissions: identity.permissions,
          modified: identity.modificationTime,
          value: try? Syscalls.attribute(FileState.attribute, of: file)
        )
        return (name, state)
      }
    )
  }

  /// Makes the folder what it was.
  func restore(_ snapshot: Snapshot) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      try FileManager.default.removeItem(atPath: path(name))
    }
    for (name, state) in snapshot {
      let place = try write(state.bytes, to: name)
      let file = try FileDescriptor.open(FilePath(place), .readWrite)
      defer { try? file.close() }
      if let value = state.value {
        // Not every file system has them.
        try? Syscalls.setAttribute(FileState.attribute, of: file, to: value)
      }
      _ = fchmod(file.rawValue, state.permissions)
      try Syscalls.changeTimes(file, access: state.modified, modification: state.modified)
    }
  }
}
