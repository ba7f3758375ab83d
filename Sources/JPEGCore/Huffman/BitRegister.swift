/// The end of a string of Huffman codes, with the bits that are not yet written.
///
/// Whoever uses it makes room for what it writes.
@safe
package struct BitRegister: EntropyRegister {
  /// The entries of a ``CodeTable``, which must live as long.
  private let codes: UnsafeMutablePointer<UInt32>
  /// Where the next byte goes.
  private(set) var end: UnsafeMutablePointer<UInt8>
  /// Whether a zero byte follows each 0xFF.
  private let isStuffed: Bool
  /// Bits that are not written yet, the first one highest, zeros after them; and how many they are, 0 to 63.
  private var pending: UInt64 = 0
  private var count = 0
  /// All entries that were used, one upon the other.
  private var seen: UInt32 = 0

  init(_ codes: CodeTable, end: UnsafeMutablePointer<UInt8>, isStuffed: Bool) {
    unsafe self.codes = codes.entries
    unsafe self.end = end
    self.isStuffed = isStuffed
  }

  /// Whether a symbol had to be written that its table has no code for.
  var lacksCode: Bool { seen & CodeTable.missing != 0 }

  @inline(__always)
  package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
    let entry = unsafe codes[CodeTable.symbol(symbol, table: index)]
    seen |= entry
    let count = UInt32(truncatingIfNeeded: count)
    let mask: UInt32 = (1 &<< count) &- 1
    write(UInt64((entry &>> 8) &<< count | bits & mask), Int(entry & 0x7F &+ count))
  }

  @inline(__always)
  package mutating func put(symbol: Int, table index: Int, _ bits: BitString) {
    let entry = unsafe codes[CodeTable.symbol(symbol, table: index)]
    seen |= entry
    let length = Int(entry & 0x7F)
    let code = UInt64(entry &>> 8)
    if bits.count < 48 {
      write(code &<< UInt64(truncatingIfNeeded: bits.count) | bits.value, length &+ bits.count)
    } else {
      write(code, length)
      append(bits.aligned, bits.count)
    }
  }

  @inline(__always)
  package mutating func put(run: Int, value: Int8, table index: Int) {
    put(unsafe codes[CodeTable.value(value, run: run, table: index)])
  }

  /// Writes an entry of the ``CodeTable``.
  @inline(__always)
  mutating func put(_ entry: UInt32) {
    seen |= entry
    write(UInt64(entry &>> 8), Int(entry & 0x7F))
  }

  /// Codes the difference of a DC value to its prediction, and what comes after it.
  ///
  /// - Parameters:
  ///   - difference: The difference.
  ///   - index: The ``TableIndex`` of the table.
  ///   - bits: What comes after it, the first bit highest, with zeros after.
  ///   - number: How many bits that are, at most 32.
  @inline(__always)
  mutating func put(difference: Int, table index: Int, _ bits: UInt64, _ number: Int) {
    let size = category(of: difference)
    let entry = unsafe codes[CodeTable.symbol(size, table: index)]
    seen |= entry
    let mask: UInt32 = (1 &<< UInt32(truncatingIfNeeded: size)) &- 1
    let code =
      (entry &>> 8) &<< UInt32(truncatingIfNeeded: size) | additionalBits(difference) & mask
    let length = Int(entry & 0x7F) &+ size
    append(
      UInt64(code) &<< UInt64(truncatingIfNeeded: 64 &- length)
        | bits &>> UInt64(truncatingIfNeeded: length),
      length &+ number
    )
  }

  /// Appends at most 63 bits.
  @inline(__always)
  mutating func write(_ bits: UInt64, _ number: Int) {
    append(bits &<< UInt64(truncatingIfNeeded: 64 &- number), number)
  }

  /// Appends 1 to 64 bits, the first one highest, with zeros after them.
  ///
  /// Without a branch but for bytes of 0xFF: no processor foresees when the register is full.
  @inline(__always)
  mutating func append(_ bits: UInt64, _ number: Int) {
    let word = pending | bits &>> UInt64(truncatingIfNeeded: count)
    // In two steps, for a shift by 64 would be one by nothing.
    let rest = (bits &<< 1) &<< UInt64(truncatingIfNeeded: 63 &- count)
    count &+= number
    let isFull = count >= 64
    count &= 63
    pending = isFull ? rest : word
    if isStuffed && word.holdsFF && isFull {
      stuff(word, bytes: 8)
      return
    }
    unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.bigEndian, as: UInt64.self)
    unsafe end += isFull ? 8 : 0
  }

  /// How many bits are missing to a whole byte.
  var missingBits: Int { (64 - count) % 8 }

  /// Writes the pending bits.
  ///
  /// - Parameter fill: The bits that fill up the last byte.
  mutating func flush(_ fill: UInt64) {
    let missing = missingBits
    if missing > 0 { write(fill, missing) }
    stuff(pending, bytes: count / 8)
    (pending, count) = (0, 0)
  }

  /// Writes the pending bits, with zeros after them, and keeps them pending.
  mutating func store() {
    unsafe UnsafeMutableRawPointer(end).storeBytes(of: pending.bigEndian, as: UInt64.self)
  }

  /// How many bits there are from a place on.
  @inline(__always)
  func bits(from start: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe 8 &* (end - start) &+ count
  }

  /// Writes the highest bytes of a word.
  private mutating func stuff(_ word: UInt64, bytes: Int) {
    var word = word
    for _ in 0..<bytes {
      let byte = UInt8(truncatingIfNeeded: word &>> 56)
      append(byte)
      if byte == 0xFF { append(0) }
      word &<<= 8
    }
  }

  mutating func append(_ byte: UInt8) {
    unsafe end.pointee = byte
    unsafe end += 1
  }

  /// Goes on elsewhere, where what was written so far was copied to.
  mutating func move(to end: UnsafeMutablePointer<UInt8>) { unsafe self.end = end }
}

extension UInt64 {
  /// Whether one of the eight bytes is 0xFF.
  @inline(__always)
  var holdsFF: Bool { self & ~(self &+ 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 != 0 }
}
