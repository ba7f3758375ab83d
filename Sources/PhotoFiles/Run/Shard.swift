internal import FileSystem
package import SystemPackage

/// One of several parts of a set of files, so that several processes can share the work.
///
/// The part of a path is the FNV-1a hash (64 bits) of its bytes without `.` and `..`, modulo the number of parts.
/// It is the same on every machine if the paths are given in the same way.
package struct Shard: Hashable, Sendable {
  /// The index of the part, from 0.
  package let index: Int
  /// The number of parts.
  package let count: Int

  package init?(index: Int, count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether a file belongs to the part.
  package func contains(_ path: FilePath) -> Bool {
    Self.hash(path.lexicallyNormalized().bytes) % UInt64(count) == UInt64(index)
  }

  package static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
