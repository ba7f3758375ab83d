/// The order of the bytes of an integer.
public enum ByteOrder: Sendable, Hashable {
  /// Most significant byte first: JPEG itself, and TIFF blocks that begin with `MM`.
  case big
  /// Least significant byte first: TIFF blocks that begin with `II`.
  case little
}

extension Span<UInt8> {
  /// Returns the unsigned 16-bit integer at `offset`, or nil if it is not completely within the bytes.
  @inlinable @inline(__always) public func uint16(
    at offset: Int,
    _ order: ByteOrder = .big
  ) -> UInt16? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
    return order == .big ? value.bigEndian : value.littleEndian
  }

  /// Returns the unsigned 32-bit integer at `offset`, or nil if it is not completely within the bytes.
  @inlinable @inline(__always) public func uint32(
    at offset: Int,
    _ order: ByteOrder = .big
  ) -> UInt32? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return order == .big ? value.bigEndian : value.littleEndian
  }

  /// Whether the bytes from `offset` on begin with `prefix`.
  @inlinable public func hasPrefix(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
    guard offset >= 0, prefix.count <= count - offset else { return false }
    for index in prefix.indices where self[offset + index] != prefix[index] { return false }
    return true
  }

  /// Returns a copy of the bytes in `range`, as far as there are any.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe extracting(range.clamped(to: 0..<count)).withUnsafeBufferPointer { unsafe Array($0) }
  }
}

extension UInt16 {
  /// The two bytes of the integer.
  package func bytes(_ order: ByteOrder) -> [UInt8] {
    let (high, low) = (UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self))
    return order == .big ? [high, low] : [low, high]
  }
}

extension Int64 {
  /// Returns the number as an offset or a length.
  ///
  /// Where Int has 32 bits, larger numbers become a quarter of the maximum: beyond every file, with room for
  /// additions. They must not be reported: reports have the numbers that are in the file.
  @inlinable public var length: Int { Swift.min(Int(clamping: self), .max >> 2) }
}

extension UInt32 {
  /// Returns the number as an offset or a length; see ``Int64/length``.
  @inlinable public var length: Int { Int64(self).length }

  /// The four bytes of the integer.
  package func bytes(_ order: ByteOrder) -> [UInt8] {
    let high = UInt16(truncatingIfNeeded: self >> 16).bytes(order)
    let low = UInt16(truncatingIfNeeded: self).bytes(order)
    return order == .big ? high + low : low + high
  }
}
