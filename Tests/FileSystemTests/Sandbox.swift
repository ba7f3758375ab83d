import FileSystem
import SystemPackage

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A directory for one test, removed with its content at the end of the test.
final class Sandbox: Sendable {
  let path: FilePath

  init() throws {
    let parent = unsafe getenv("TMPDIR").map { unsafe FilePath(platformString: $0) } ?? "/tmp"
    let name = "upright-tests-\(UInt64.random(in: 0...(.max)))"
    path = parent.appending(name)
    try make(mkdir: path)
  }

  deinit {
    Self.removeTree(path)
  }

  private static func removeTree(_ path: FilePath) {
    if (try? Syscalls.status(path, followingLinks: false))?.kind == .directory {
      for entry in (try? Syscalls.list(path)) ?? [] {
        if let name = FilePath.Component(bytes: entry.name) { removeTree(path.appending(name)) }
      }
    }
    _ = unsafe path.withPlatformString { unsafe systemRemove($0) }
  }

  private func make(mkdir path: FilePath) throws {
    try check(unsafe path.withPlatformString { unsafe mkdir($0, 0o755) })
  }

  private func check(_ result: CInt) throws {
    if result != 0 { throw Errno(rawValue: errno) }
  }

  @discardableResult
  func directory(_ name: FilePath) throws -> FilePath {
    var made = path
    for component in name.components {
      made.append(component)
      if (try? status(made)) == nil { try make(mkdir: made) }
    }
    return made
  }

  /// Creates a file with some content in a directory that exists or is made.
  @discardableResult
  func file(_ name: FilePath, _ content: String = "old", mode: UInt16 = 0o644) throws -> FilePath {
    try directory(name.removingLastComponent())
    let file = path.pushing(name)
    try write(content, to: file, options: [.create, .exclusiveCreate])
    try chmod(file, mode)
    return file
  }

  func write(
    _ content: String,
    to file: FilePath,
    options: FileDescriptor.OpenOptions = [.truncate]
  ) throws {
    let descriptor = try FileDescriptor.open(
      file,
      .writeOnly,
      options: options,
      permissions: .ownerReadWrite
    )
    try descriptor.closeAfter { _ = try descriptor.writeAll(content.utf8) }
  }

  func content(_ file: FilePath) throws -> String {
    String(decoding: try readFile(file).bytes, as: UTF8.self)
  }

  func chmod(_ file: FilePath, _ mode: UInt16) throws {
    try check(unsafe file.withPlatformString { unsafe systemChmod($0, mode_t(mode)) })
  }

  @discardableResult
  func symbolicLink(_ name: FilePath, to target: FilePath) throws -> FilePath {
    let link = path.pushing(name)
    try check(
      unsafe link.withPlatformString { link in
        unsafe target.withPlatformString { unsafe symlink($0, link) }
      }
    )
    return link
  }

  func hardLink(_ name: FilePath, to target: FilePath) throws -> FilePath {
    let new = path.pushing(name)
    try check(
      unsafe new.withPlatformString { new in
        unsafe target.withPlatformString { unsafe systemLink($0, new) }
      }
    )
    return new
  }

  func fifo(_ name: FilePath) throws -> FilePath {
    let fifo = path.pushing(name)
    try check(unsafe fifo.withPlatformString { unsafe mkfifo($0, 0o644) })
    return fifo
  }

  func remove(_ file: FilePath) throws {
    try check(unsafe file.withPlatformString { unsafe unlink($0) })
  }

  func move(_ file: FilePath, to new: FilePath) throws {
    try check(
      unsafe file.withPlatformString { file in
        unsafe new.withPlatformString { unsafe systemRename(file, $0) }
      }
    )
  }

  func status(_ file: FilePath) throws -> FileIdentity {
    try Syscalls.status(file, followingLinks: false)
  }

  func setTimes(_ file: FilePath, access: Timestamp, modification: Timestamp) throws {
    let descriptor = try FileDescriptor.open(file, .readOnly)
    try descriptor.closeAfter {
      try Syscalls.changeTimes(descriptor, access: access, modification: modification)
    }
  }

  /// Sets an extended attribute; the error if the file system has none.
  func setAttribute(_ name: String, of file: FilePath, to value: [UInt8]) throws {
    let descriptor = try FileDescriptor.open(file, .readOnly)
    try descriptor.closeAfter {
      try Syscalls.setAttribute(Array(name.utf8), of: descriptor, to: value)
    }
  }

  func attribute(_ name: String, of file: FilePath) throws -> [UInt8] {
    let descriptor = try FileDescriptor.open(file, .readOnly)
    return try descriptor.closeAfter { try Syscalls.attribute(Array(name.utf8), of: descriptor) }
  }

  /// The names in a directory, sorted.
  func names(in directory: FilePath? = nil) throws -> [String] {
    try Syscalls.list(directory ?? path).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
  }
}

private let systemChmod = unsafe chmod
private let systemLink = unsafe link
private let systemRemove = unsafe remove
private let systemRename = unsafe rename
