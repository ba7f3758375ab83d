internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A standard stream, to which threads write whole lines.
final class Stream: Sendable {
  static let output = Stream(STDOUT_FILENO)
  static let error = Stream(STDERR_FILENO)

  private let descriptor: Mutex<CInt>

  private init(_ descriptor: CInt) { self.descriptor = Mutex(descriptor) }

  /// Writes a line, unless nobody can read it.
  func put(_ text: String) {
    descriptor.withLock { descriptor in
      var rest = Array((text + "\n").utf8)[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
          unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
