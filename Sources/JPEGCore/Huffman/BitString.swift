/// Up to 64 bits, the first one highest.
package struct BitString {
  /// The bits, right-aligned, with zeros above them.
  private(set) var value: UInt64 = 0
  package private(set) var count = 0

  @inline(__always)
  init() {}

  @inline(__always)
  package init(_ value: UInt64, count: Int) {
    self.value = value
    self.count = count
  }

  @inline(__always)
  mutating func append(_ bit: UInt64) {
    value = value &<< 1 | bit
    count &+= 1
  }

  /// Appends bits that are right-aligned, with zeros above them.
  @inline(__always)
  mutating func append(_ bits: UInt64, count number: Int) {
    value = value &<< UInt64(truncatingIfNeeded: number) | bits
    count &+= number
  }

  /// Returns a bit followed by these bits.
  @inline(__always)
  func after(_ bit: UInt64) -> BitString {
    BitString(bit &<< UInt64(truncatingIfNeeded: count) | value, count: count &+ 1)
  }

  /// The bits, left-aligned, with zeros below them.
  @inline(__always)
  var aligned: UInt64 { value &<< UInt64(truncatingIfNeeded: 64 &- count) }
}

/// Correction bits that are pending until the EOBRUN code before them is known (T.81, G.1.2.3).
struct HeldBits {
  /// The bits, left-aligned, with zeros after them.
  private var words: [UInt64] = []
  private var count = 0

  @inline(__always)
  mutating func append(_ bits: BitString) {
    guard bits.count > 0 else { return }
    let offset = count & 63
    let aligned = bits.aligned
    if offset == 0 {
      words.append(aligned)
    } else {
      words[words.count &- 1] |= aligned &>> UInt64(truncatingIfNeeded: offset)
      if offset &+ bits.count > 64 {
        words.append(aligned &<< UInt64(truncatingIfNeeded: 64 &- offset))
      }
    }
    count &+= bits.count
  }

  /// Writes all bits and removes them.
  mutating func put<Sink: EntropySink & ~Copyable>(into sink: inout Sink) {
    guard count > 0 else { return }
    for (index, word) in words.enumerated() {
      let number = min(count &- 64 &* index, 64)
      sink.put(
        BitString(word &>> UInt64(truncatingIfNeeded: 64 &- number), count: number)
      )
    }
    words.removeAll(keepingCapacity: true)
    count = 0
  }
}
