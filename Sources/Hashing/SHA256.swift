internal import CNettle

/// SHA-256 (FIPS 180-4) of data that is added in pieces.
package struct SHA256 {
  private var context = sha256_ctx()

  package init() { unsafe nettle_sha256_init(&context) }

  /// Adds a piece.
  package mutating func update(_ piece: [UInt8]) {
    unsafe nettle_sha256_update(&context, piece.count, piece)
  }

  /// Returns the 32 bytes of the digest of all pieces.
  package consuming func digest() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      unsafe sha256_finish(&context, buffer.baseAddress)
      count = 32
    }
  }

  /// Returns the 32 bytes of the digest of some bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }
}
