internal import FileBytes
package import FileSystem
internal import Hashing

/// The SHA-256 of a file.
public struct Digest: Hashable, Sendable {
  /// The 32 bytes, eight to a word in big-endian order.
  private let words: SIMD4<UInt64>

  /// Computes the digest of some bytes.
  public init(of bytes: [UInt8]) { self.init(bytes: SHA256.digest(of: bytes)) }

  /// Computes the digest of a file, which is read in pieces.
  package init(of file: borrowing FileReader) throws(FileError) {
    var hash = SHA256()
    var offset = 0
    while case let piece = try file.read(at: offset, count: 1 << 20), !piece.isEmpty {
      hash.update(piece)
      offset += piece.count
    }
    self.init(bytes: hash.digest())
  }

  /// Creates a digest from its 32 bytes.
  init(bytes digest: [UInt8]) {
    var words = SIMD4<UInt64>()
    for (index, byte) in digest.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = words
  }

  /// Creates a digest from 64 lower-case hexadecimal digits; nil for any other text.
  public init?(hexadecimal text: String) {
    guard let bytes = [UInt8](hexadecimal: text), bytes.count == 32 else { return nil }
    self.init(bytes: bytes)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
  }

  /// Whether this digest is before another one in some order.
  func precedes(_ other: Digest) -> Bool {
    for index in 0..<4 where words[index] != other.words[index] {
      return words[index] < other.words[index]
    }
    return false
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hexadecimal: String { (0..<4).map { words[$0].hexadecimal() }.joined() }
}

extension Digest: CustomStringConvertible {
  /// The hexadecimal digits.
  public var description: String { hexadecimal }
}

extension Digest {
  /// Reads 64 lower-case hexadecimal digits.
  package init?(_ json: JSONValue) {
    guard let digest = json.string.flatMap(Digest.init(hexadecimal:)) else { return nil }
    self = digest
  }
}
