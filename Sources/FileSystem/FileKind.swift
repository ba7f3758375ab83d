#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The kinds of files.
package enum FileKind: Sendable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, when links are not followed.
  case symbolicLink
  /// A named pipe.
  case fifo
  /// A socket.
  case socket
  /// A device, or an unknown kind.
  case device

  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// Creates the kind of a directory entry; `nil` if the file system does not report it.
  init?(entryType: UInt8) {
    // The types are the kind bits of the mode, shifted right by twelve.
    guard entryType != 0 else { return nil }
    self.init(mode: mode_t(entryType) << 12)
  }

  /// Why a file of this kind is not read or replaced; `nil` for regular files.
  var problem: FileError.Problem? {
    switch self {
    case .regular: nil
    case .directory: .isDirectory
    case .symbolicLink: .linkLoop
    case .fifo: .isFIFO
    case .socket: .isSocket
    case .device: .isDevice
    }
  }
}
