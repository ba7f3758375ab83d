internal import CZlib

/// Compression in the zlib format (RFC 1950), for data that fits into memory.
enum Compression {
  /// Returns the bytes compressed at the highest level.
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

  /// Returns the decompressed bytes.
  ///
  /// - Parameters:
  ///   - bytes: The compressed data, which is not trusted.
  ///   - limit: The maximum number of bytes, which bounds the memory.
  /// - Returns: The bytes, or nil if the data is damaged or decompresses to more than `limit` bytes.
  static func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    // Each attempt costs at most as much as the next one, and a recorded size could not be trusted.
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

  /// The gzip member (RFC 1952) at the start of some bytes.
  enum Member {
    /// The content, and the number of bytes of the member.
    case whole([UInt8], size: Int)
    /// The bytes end within the member.
    case cut
    /// There is no member, it is damaged, or its content is larger than the limit.
    case damaged
  }

  /// Decompresses the gzip member at the start of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: The member, possibly followed by other bytes.
  ///   - limit: The maximum number of bytes of content, which bounds the memory.
  /// - Returns: The member.
  static func member(_ bytes: [UInt8], limit: Int) -> Member {
    var stream = unsafe z_stream()
    let version = unsafe zlibVersion()
    // The number selects gzip with a window of 32 KiB.
    guard
      unsafe inflateInit2_(&stream, 31, version, CInt(MemoryLayout<z_stream>.size)) == Z_OK
    else { return .damaged }
    defer { unsafe inflateEnd(&stream) }
    var content: [UInt8] = []
    var status = Z_OK
    var input = bytes
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = uInt(input.count)
      while status == Z_OK, content.count < limit {
        let room = min(1 << 16, limit - content.count)
        content += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
          unsafe stream.next_out = buffer.baseAddress
          unsafe stream.avail_out = uInt(room)
          status = unsafe inflate(&stream, Z_NO_FLUSH)
          count = unsafe room - Int(stream.avail_out)
        }
      }
    }
    switch status {
    case Z_STREAM_END: return .whole(content, size: unsafe bytes.count - Int(stream.avail_in))
    case Z_BUF_ERROR: return .cut
    case Z_OK where unsafe stream.avail_in == 0 && content.count < limit: return .cut
    default: return .damaged
    }
  }
}
