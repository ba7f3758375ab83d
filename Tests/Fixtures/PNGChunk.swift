internal import FileBytes

/// A chunk of a PNG file (PNG, 5.3).
package enum PNGChunk {
  /// Returns a chunk with its length and its checksum.
  package static func bytes(_ type: String, _ content: some Collection<UInt8>) -> [UInt8] {
    let named = Array(type.utf8) + content
    return UInt32(content.count).bytes(.big) + named + named.crc32.bytes(.big)
  }
}
