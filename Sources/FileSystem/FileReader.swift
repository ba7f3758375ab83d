internal import Synchronization
package import SystemPackage

/// A regular file that is open for reading; closed when the value is destroyed.
package struct FileReader: ~Copyable {
  /// The path that was opened.
  package let path: FilePath
  let descriptor: FileDescriptor
  private let version: Mutex<FileIdentity>

  /// The status of the file when it was opened, or a later one with the same content.
  package var identity: FileIdentity { version.withLock { $0 } }

  /// Opens a file, following symbolic links.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isKnown: Whether a directory entry has just identified it as a regular file.
  /// - Throws: ``FileError`` if the file does not exist, or if it is a directory, a pipe, a socket or a device.
  package init(_ path: FilePath, isKnown: Bool = false) throws(FileError) {
    if !isKnown {
      // Checked before opening, because opening has side effects on some devices.
      let found = try FileError.attributing(path, .open) { () throws(Errno) in
        try Syscalls.status(path, followingLinks: true)
      }
      if let problem = found.kind.problem { throw FileError(path, .read, problem) }
    }
    let (descriptor, identity) = try FileError.attributing(path, .open) { () throws(Errno) in
      // Non-blocking, because opening a pipe that replaced the file would wait for its writer.
      try Syscalls.identified(Syscalls.open(path, .readOnly, options: .nonBlocking))
    }
    if let problem = identity.kind.problem {
      Syscalls.close(descriptor)
      throw FileError(path, .read, problem)
    }
    self.path = path
    version = Mutex(identity)
    self.descriptor = descriptor
  }

  /// Opens bytes as a file without a name, for another process.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name in errors.
  /// - Throws: ``FileError``.
  package init(_ bytes: [UInt8], named name: FilePath) throws(FileError) {
    let (descriptor, identity) = try FileError.attributing(name, .create) { () throws(Errno) in
      try Syscalls.identified(Syscalls.unnamedFile(with: bytes))
    }
    path = name
    version = Mutex(identity)
    self.descriptor = descriptor
  }

  deinit {
    Syscalls.close(descriptor)
  }

  /// Reads up to `count` bytes at the offset; fewer only at the end of the file.
  ///
  /// - Throws: ``FileError``, of `changed` also if the file was truncated after it was opened.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    precondition(offset >= 0 && count >= 0, "offset and count are not negative")
    // A count from a malicious header must not allocate more than the file contains.
    let available = min(count, max(0, identity.size - offset))
    let bytes = try FileError.attributing(path, .read) { () throws(Errno) in
      try Syscalls.read(descriptor, at: offset, count: available)
    }
    guard bytes.count == available else { throw FileError(path, .read, .changed) }
    return bytes
  }

  /// Returns the access rights of the file.
  package func rights() throws(FileError) -> AccessRights {
    try FileError.attributing(path, .read) { () throws(Errno) in
      try AccessRights(of: descriptor, identity, at: path)
    }
  }

  /// Whether the file starts like a JPEG file, whatever its name.
  package func looksLikeJPEG() throws(FileError) -> Bool {
    try read(at: 0, count: 3) == [0xFF, 0xD8, 0xFF]
  }

  /// Whether a file can be read and starts like a JPEG file.
  package static func isJPEG(at path: FilePath) -> Bool {
    (try? FileReader(path).looksLikeJPEG()) == true
  }

  /// Whether a file starts like a JPEG file; true also if it cannot be read, so that its reader reports why.
  package static func mayBeJPEG(at path: FilePath) -> Bool {
    (try? FileReader(path).looksLikeJPEG()) != false
  }

  /// Reads the whole file, at most `limit` bytes, and checks that it did not change meanwhile.
  ///
  /// Some file systems report other times a while after a file was stored. So if only the status differs, the content is
  /// read again.
  package func readAll(limit: Int = .max) throws(FileError) -> [UInt8] {
    let identity = identity
    guard identity.size <= limit else { throw FileError(path, .read, .tooLarge) }
    let bytes = try read(at: 0, count: identity.size)
    for _ in 0..<3 {
      let now = try FileError.attributing(path, .read) { () throws(Errno) in
        try Syscalls.status(descriptor)
      }
      if now.isSameVersion(as: self.identity) { return bytes }
      guard now.kind == .regular, now.size == bytes.count,
        try read(at: 0, count: bytes.count) == bytes
      else { throw FileError(path, .read, .changed) }
      version.withLock { $0 = now }
    }
    return bytes
  }
}

/// Reads a whole regular file, following symbolic links.
///
/// - Parameters:
///   - path: The file.
///   - limit: The maximum number of bytes.
/// - Returns: The bytes, and the status of the file.
/// - Throws: ``FileError`` if the file is missing, unreadable, too large or not a regular file, or changed while
///   it was read.
package func readFile(
  _ path: FilePath,
  limit: Int = .max
) throws(FileError) -> (bytes: [UInt8], identity: FileIdentity) {
  let reader = try FileReader(path)
  return (try reader.readAll(limit: limit), reader.identity)
}

/// Whether a file has this content.
package func holdsFile(_ path: FilePath, _ bytes: [UInt8]) -> Bool {
  (try? readFile(path, limit: bytes.count).bytes) == bytes
}
