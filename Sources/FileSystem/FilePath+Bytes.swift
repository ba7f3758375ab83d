package import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension FilePath {
  /// Creates a path of one component.
  init(_ name: Component) { self = FilePath().appending(name) }

  /// The path's exact bytes, which need not be UTF-8.
  package var bytes: [UInt8] {
    unsafe withPlatformString { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) }
  }

  /// The exact bytes of the last component; empty if there is none.
  package var name: [UInt8] { lastComponent?.bytes ?? [] }

  /// Creates a path from its exact bytes; `nil` if they contain a NUL.
  package init?(bytes: [UInt8]) {
    self.init(terminated: bytes + [0])
  }

  /// Creates a path from its exact bytes and a NUL; `nil` if they contain another.
  init?(terminated bytes: [UInt8]) {
    guard bytes.firstIndex(of: 0) == bytes.count - 1 else { return nil }
    self = unsafe bytes.withUnsafeBytes { bytes in
      // The array contains at least the terminator.
      guard let start = bytes.baseAddress else { return FilePath() }
      return unsafe FilePath(platformString: start.assumingMemoryBound(to: CChar.self))
    }
  }
}

extension FilePath.Component {
  /// The name's exact bytes, which need not be UTF-8.
  package var bytes: [UInt8] {
    unsafe withPlatformString { name in
      unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }
  }

  /// Creates a name from its exact bytes; `nil` if they are empty or contain a slash or a NUL.
  package init?(bytes: [UInt8]) {
    guard !bytes.contains(0) else { return nil }
    unsafe self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }
}

extension [UInt8] {
  /// Whether a name precedes another in byte order.
  func precedes(_ other: [UInt8]) -> Bool {
    let order = unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        let count = Swift.min(bytes.count, others.count)
        guard count > 0, let first = bytes.baseAddress, let second = others.baseAddress else {
          return CInt(0)
        }
        return unsafe memcmp(first, second, count)
      }
    }
    return order == 0 ? count < other.count : order < 0
  }
}
