internal import CZlib
internal import JPEGCore

/// Compression in the zlib format (RFC 1950), for data that fits into memory.
enum Compression {
  /// The preset dictionary of undo data: a DHT segment for each example Huffman table of T.81, annex K.3.
  ///
  /// Most cameras use these tables, and results have optimized ones, so most undo records contain them.
  static let dictionary: [UInt8] = [false, true].flatMap { isChrominance in
    [HuffmanTable.Class.dc, .ac].flatMap { tableClass in
      let table = HuffmanTable.standard(tableClass, chrominance: isChrominance).serialized
      let length = table.count + 3
      return [0xFF, 0xC4, UInt8(length >> 8), UInt8(length & 0xFF)]
        + [tableClass.rawValue << 4 | (isChrominance ? 1 : 0)] + table
    }
  }

  /// Returns the bytes compressed at the highest level, with the preset dictionary.
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    let version = unsafe zlibVersion()
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    var status = unsafe deflateInit_(&stream, Z_BEST_COMPRESSION, version, size)
    precondition(status == Z_OK, "zlib has memory")
    defer { unsafe deflateEnd(&stream) }
    status = unsafe deflateSetDictionary(&stream, dictionary, uInt(dictionary.count))
    precondition(status == Z_OK, "a dictionary can be set before the first byte")
    let capacity = Int(unsafe deflateBound(&stream, uLong(bytes.count)))
    var input = bytes
    return unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = uInt(input.count)
      return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = uInt(capacity)
        let status = unsafe deflate(&stream, Z_FINISH)
        precondition(status == Z_STREAM_END, "a buffer of that size takes everything")
        count = unsafe capacity - Int(stream.avail_out)
      }
    }
  }

  /// Returns the decompressed bytes.
  ///
  /// `limit` is the maximum number of bytes of the content, which bounds the memory.
  ///
  /// - Returns: The bytes, or nil if the data is damaged or decompresses to more than `limit` bytes.
  static func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard case .whole(let content, bytes.count) = inflated(bytes, windowBits: 15, limit: limit + 1),
      content.count <= limit
    else { return nil }
    return content
  }

  /// Compressed data at the start of some bytes.
  enum Member {
    /// The content, and the number of compressed bytes.
    case whole([UInt8], size: Int)
    /// The bytes end within the data.
    case cut
    /// There is no such data, it is damaged, or its content is larger than the limit.
    case damaged
  }

  /// Decompresses the gzip member (RFC 1952) at the start of some bytes.
  ///
  /// `limit` is the maximum number of bytes of the content, which bounds the memory.
  static func member(_ bytes: [UInt8], limit: Int) -> Member {
    // The number selects gzip with a window of 32 KiB.
    inflated(bytes, windowBits: 31, limit: limit)
  }

  private static func inflated(_ bytes: [UInt8], windowBits: CInt, limit: Int) -> Member {
    var stream = unsafe z_stream()
    let version = unsafe zlibVersion()
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, windowBits, version, size) == Z_OK else { return .damaged }
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
        if status == Z_NEED_DICT {
          // Another dictionary than this one is an error.
          status = unsafe inflateSetDictionary(&stream, dictionary, uInt(dictionary.count))
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
