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
  /// Bits that are not written yet, the last one lowest; the highest ``room`` of them mean nothing.
  private var pending: UInt64 = 0
  private var room = 64
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
  package mutating func put(run: Int, value: Int8, table index: Int) {
    put(unsafe codes[CodeTable.value(value, run: run, table: index)])
  }

  /// Writes an entry of the ``CodeTable``.
  @inline(__always)
  mutating func put(_ entry: UInt32) {
    seen |= entry
    write(UInt64(entry &>> 8), Int(entry & 0x7F))
  }

  /// Appends at most 63 bits.
  @inline(__always)
  mutating func write(_ bits: UInt64, _ count: Int) {
    room &-= count
    if room >= 0 {
      pending = pending &<< UInt64(truncatingIfNeeded: count) | bits
      return
    }
    let word =
      pending &<< UInt64(truncatingIfNeeded: room &+ count)
      | bits &>> UInt64(truncatingIfNeeded: 0 &- room)
    pending = bits
    room &+= 64
    store(word)
  }

  /// Writes eight bytes.
  @inline(__always)
  private mutating func store(_ word: UInt64) {
    if !isStuffed || !word.holdsFF {
      unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.bigEndian, as: UInt64.self)
      unsafe end += 8
    } else {
      stuff(word, bytes: 8)
    }
  }

  /// Appends 64 bits behind others.
  @inline(__always)
  mutating func write(_ bits: UInt64) {
    // In two steps, for there may be no room, and a shift by 64 would be one by nothing.
    let upper = (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- room)
    store(pending &<< UInt64(truncatingIfNeeded: room) | upper)
    pending = bits
  }

  /// Writes the pending bits, filled up to a whole byte with `padding`, 0 or 1.
  mutating func flush(_ padding: UInt64) {
    let missing = room % 8
    if missing > 0 { write(padding << UInt64(missing) - padding, missing) }
    if room < 64 { stuff(pending << UInt64(room), bytes: (64 - room) / 8) }
    room = 64
  }

  /// How many bits there are from a place on.
  @inline(__always)
  func bits(from start: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe 8 &* (end - start) &+ 64 &- room
  }

  /// Writes the pending bits, filled up to a whole number of four bytes.
  @inline(__always)
  mutating func flushWords() {
    guard room < 64 else { return }
    let word = pending &<< UInt64(truncatingIfNeeded: room)
    unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.bigEndian, as: UInt64.self)
    unsafe end += room < 32 ? 8 : 4
    room = 64
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
