internal import CNettle

/// MD5, which some formats use to identify parts; it is not used for security.
package enum MD5 {
  /// Returns the 16 bytes of the MD5 of some bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      unsafe md5_of(bytes.count, bytes, buffer.baseAddress)
      count = 16
    }
  }
}
