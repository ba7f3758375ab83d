extension [UInt8] {
  /// The CRC-32 of ISO/IEC 3309, as PNG has it, too.
  package var crc32: UInt32 {
    ~reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320)
      }
    }
  }
}
