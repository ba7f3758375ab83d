#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The kinds of file that a name can stand for.
package enum FileKind: Sendable {
  /// A file with content of its own.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, when links are not followed.
  case symbolicLink
  /// A named pipe.
  case fifo
  /// A socket.
  case socket
  /// A device, or a kind this module does not know.
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

  /// The kind in a directory entry; `nil` where the file system does not tell.
  init?(entryType: UInt8) {
    // The types are the mode's kind bits, moved down by twelve.
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
