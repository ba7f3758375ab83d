internal import CZlib

/// The zlib format (RFC 1950), for what is small enough to be in memory.
enum Compression {
  /// The compressed form, as short as zlib makes it.
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var size = compressBound(uLong(bytes.count))
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      let status = unsafe compress2(
        buffer.baseAddress,
        &size,
        bytes,
        uLong(bytes.count),
        Z_BEST_COMPRESSION
      )
      precondition(status == Z_OK, "a buffer of that size takes everything")
      count = Int(size)
    }
  }

  /// The bytes that were compressed.
  ///
  /// - Parameters:
  ///   - bytes: The compressed form, which nobody vouches for.
  ///   - limit: The most bytes to accept; no more memory is taken.
  /// - Returns: The bytes, or nil where the form is damaged or stands for more.
  static func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    // Each try costs at most as much as the next one; a guess is as good as a size that may be a lie.
    var capacity = min(limit, max(4096, bytes.count * 4))
    while true {
      var status = Z_OK
      let expanded = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        var size = uLong(capacity)
        status = unsafe uncompress(buffer.baseAddress, &size, bytes, uLong(bytes.count))
        count = status == Z_OK ? Int(size) : 0
      }
      switch status {
      case Z_OK: return expanded
      case Z_BUF_ERROR where capacity < limit: capacity = min(limit, capacity * 4)
      default: return nil
      }
    }
  }
}
