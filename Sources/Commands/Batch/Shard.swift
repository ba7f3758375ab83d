internal import ArgumentParser
internal import FileSystem
internal import SystemPackage

/// One of several parts of a set of files, so that several processes can share the work.
///
/// The part of a path is the FNV-1a hash (64 bits) of its bytes without `.` and `..`, modulo the number of parts.
/// It is the same on every machine if the paths are given in the same way.
struct Shard: Hashable, Sendable {
  /// The index of the part, from 0.
  let index: Int
  /// The number of parts.
  let count: Int

  init?(index: Int, count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Parses `K/N`.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), count > 0 else {
      throw ValidationError("K/N is two numbers, such as 0/4 for the first of four parts.")
    }
    guard let shard = Shard(index: index, count: count) else {
      throw ValidationError(
        "Parts are counted from 0; the last one of \(count) is \(count - 1)/\(count)."
      )
    }
    self = shard
  }

  /// Whether a file belongs to the part.
  func contains(_ path: FilePath) -> Bool {
    Self.hash(path.lexicallyNormalized().bytes) % UInt64(count) == UInt64(index)
  }

  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
