/// The CRC-32 of each byte, without the inversions.
private let remainders: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(byte) { value, _ in
    value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320)
  }
}

extension [UInt8] {
  /// The CRC-32 of ISO/IEC 3309, as PNG has it, too.
  package var crc32: UInt32 {
    let remainders = remainders
    return ~reduce(~0) { sum, byte in
      sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
    }
  }
}
