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

  /// What a gzip member (RFC 1952) at the beginning of some bytes is.
  enum Member {
    /// Its content, and how many bytes it has.
    case whole([UInt8], size: Int)
    /// The bytes end within it.
    case cut
    /// It is none, it is damaged, or its content is longer than the limit.
    case damaged
  }

  /// Expands the gzip member that some bytes begin with.
  ///
  /// - Parameters:
  ///   - bytes: The member, and maybe what follows it.
  ///   - limit: The most bytes of content to accept; no more memory is taken.
  /// - Returns: The member.
  static func member(_ bytes: [UInt8], limit: Int) -> Member {
    var stream = unsafe z_stream()
    let version = unsafe zlibVersion()
    // The number says: gzip, with a window of 32 KiB.
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
