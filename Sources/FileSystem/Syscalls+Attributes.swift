import CFileSystem
package import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Calls on rights, times and extended attributes.
extension Syscalls {
  /// Changes owner and group; `nil` leaves one unchanged.
  static func changeOwner(
    _ file: FileDescriptor,
    user: uid_t?,
    group: gid_t?
  ) throws(Errno) {
    _ = try attempt("fchown") { fchown(file.rawValue, user ?? .max, group ?? .max) }.get()
  }

  static func changeMode(_ file: FileDescriptor, _ mode: mode_t) throws(Errno) {
    _ = try attempt("fchmod") { fchmod(file.rawValue, mode) }.get()
  }

  /// Whether the user of the process may write a file; also if the file system does not tell.
  static func mayWrite(_ path: FilePath) -> Bool {
    let result = unsafe path.withPlatformString { name in
      attempt("faccessat") {
        unsafe faccessat(workingDirectory.rawValue, name, W_OK, AT_EACCESS)
      }
    }
    guard case .failure(let error) = result else { return true }
    return error != .permissionDenied && error != .notPermitted
  }

  /// Whether the mount of a file decides whose the files there are, as far as that is known.
  static func mountAssignsOwners(_ path: FilePath) -> Bool {
    #if os(Linux)
    unsafe path.withPlatformString { unsafe mount_assigns_owners($0) } != 0
    #else
    false
    #endif
  }

  /// Drops what the system remembers of the status and the content of a file.
  static func forgetCached(_ file: FileDescriptor) {
    #if os(Linux)
    forget_cached(file.rawValue)
    #endif
  }

  /// Whether a program serves the file system of a file; some of them report an error of the disk for every call that they do
  /// not have.
  static func isServedByProgram(_ file: FileDescriptor) -> Bool {
    #if os(Linux)
    is_served_by_program(file.rawValue) != 0
    #else
    false
    #endif
  }

  /// The groups that the process can give to its files.
  static var groups: [gid_t] {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: max(0, Int(count)))
    let filled = unsafe getgroups(count, &groups)
    return Array(groups.prefix(max(0, Int(filled)))) + [getegid()]
  }

  /// Changes the times of last access and modification.
  package static func changeTimes(
    _ file: FileDescriptor,
    access: Timestamp,
    modification: Timestamp
  ) throws(Errno) {
    let times = [access, modification].map {
      timespec(tv_sec: .init($0.seconds), tv_nsec: .init($0.nanoseconds))
    }
    _ = try attempt("futimens") { unsafe futimens(file.rawValue, times) }.get()
  }

  /// Returns the names of a file's extended attributes as bytes, which need not be UTF-8; ACLs are among them on
  /// Linux.
  static func listAttributes(_ file: FileDescriptor) throws(Errno) -> [[UInt8]] {
    let names = try unsafe sized("flistxattr") { buffer, size in
      let buffer = unsafe buffer?.assumingMemoryBound(to: CChar.self)
      #if canImport(Darwin)
      return unsafe flistxattr(file.rawValue, buffer, size, 0)
      #else
      return unsafe flistxattr(file.rawValue, buffer, size)
      #endif
    }
    return names.split(separator: 0).map(Array.init)
  }

  /// Returns the value of an extended attribute.
  package static func attribute(
    _ name: [UInt8],
    of file: FileDescriptor
  ) throws(Errno) -> [UInt8] {
    let name = terminated(name)
    return try unsafe sized("fgetxattr") { buffer, size in
      #if canImport(Darwin)
      unsafe fgetxattr(file.rawValue, name, buffer, size, 0, 0)
      #else
      unsafe fgetxattr(file.rawValue, name, buffer, size)
      #endif
    }
  }

  /// Sets an extended attribute, whether or not it exists.
  package static func setAttribute(
    _ name: [UInt8],
    of file: FileDescriptor,
    to value: [UInt8]
  ) throws(Errno) {
    let name = terminated(name)
    _ = try attempt("fsetxattr") {
      #if canImport(Darwin)
      unsafe fsetxattr(file.rawValue, name, value, value.count, 0, 0)
      #else
      unsafe fsetxattr(file.rawValue, name, value, value.count, 0)
      #endif
    }.get()
  }

  static func removeAttribute(_ name: [UInt8], of file: FileDescriptor) throws(Errno) {
    let name = terminated(name)
    _ = try attempt("fremovexattr") {
      #if canImport(Darwin)
      unsafe fremovexattr(file.rawValue, name, 0)
      #else
      unsafe fremovexattr(file.rawValue, name)
      #endif
    }.get()
  }

  /// Returns bytes as a C string.
  static func terminated(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// Asks for the size, then for the value; repeats if the value has grown in between.
  private static func sized(
    _ call: StaticString,
    _ body: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(Errno) -> [UInt8] {
    while true {
      let size = try attempt(call) { body(nil, 0) }.get()
      if size == 0 { return [] }
      var result: Result<Int, Errno> = .success(0)
      let value = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let start = UnsafeMutableRawPointer(buffer.baseAddress)
        result = attempt(call) { unsafe body(start, size) }
        if case .success(let filled) = result { count = filled }
      }
      switch result {
      case .success: return value
      case .failure(.outOfRange): continue
      case .failure(let error): throw error
      }
    }
  }
}
