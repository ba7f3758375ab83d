internal import CNettle
internal import JPEGCore

/// MD5, which some formats use to identify parts; it is not used for security.
package enum MD5 {
  /// Returns the MD5 of some bytes as 32 upper-case hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    let digest = unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      unsafe md5_of(bytes.count, bytes, buffer.baseAddress)
      count = 16
    }
    return digest.hexadecimal(uppercase: true)
  }
}
