/// Writes Huffman codes at the end of a buffer, through a register of up to 63 pending bits.
///
/// Each append stores the whole register, eight bytes, and advances the pointer by 8 only if the register is full. The
/// stored bytes are overwritten until then. This avoids the branch "is the register full?", which processors cannot
/// predict.
///
/// ```text
///   pending      ppppp000…       count bits, at the top
///   new bits     nnnnnnnnnnn…    number bits, at the top
///   word         pppppnnnnnn…    pending | new >> count        stored
///   rest         nnn000…         new << (64 - count)           pending if the word is full
/// ```
///
/// The caller reserves the space.
@safe
package struct BitRegister: EntropyRegister {
  /// The entries of a ``CodeTable``, which must outlive the register.
  private let codes: UnsafeMutablePointer<UInt32>
  /// The address of the next byte.
  private(set) var end: UnsafeMutablePointer<UInt8>
  /// The pending bits, the first one highest, with zeros below; and their number, 0 to 63.
  private var pending: UInt64 = 0
  private var count = 0
  /// The OR of all entries that were used.
  ///
  /// ``CodeTable/missing`` is a separate bit, so one test at the end is enough.
  private var seen: UInt32 = 0

  init(_ codes: CodeTable, end: UnsafeMutablePointer<UInt8>) {
    unsafe self.codes = codes.entries
    unsafe self.end = end
  }

  /// Whether a symbol was written for which the table has no code.
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

  @inline(__always)
  mutating func put(_ step: RecordedSymbols.Step) {
    let entry = unsafe codes[step.entry]
    seen |= entry
    write(
      UInt64((entry &>> 8) &<< step.count | step.bits),
      Int(entry & 0x7F &+ step.count)
    )
  }

  @inline(__always)
  mutating func put(_ entry: UInt32) {
    seen |= entry
    write(UInt64(entry &>> 8), Int(entry & 0x7F))
  }

  /// Appends the DC difference of a block, and what `body` puts into joined codes.
  @inline(__always)
  mutating func join(difference: Int, table index: Int, _ body: (inout JoinedCodes) -> Void) {
    if count > 7 {
      store()
      unsafe end += count &>> 3
      pending &<<= UInt64(truncatingIfNeeded: count & 56)
      count &= 7
    }
    var joined = unsafe JoinedCodes(
      to: UnsafeMutableRawPointer(end),
      pending: pending,
      used: count
    )
    let size = category(of: difference)
    joined.put(
      unsafe codes[CodeTable.symbol(size, table: index)],
      additionalBits: additionalBits(difference),
      size
    )
    body(&joined)
    if joined.lacksCode { seen |= CodeTable.missing }
    unsafe end = joined.end.assumingMemoryBound(to: UInt8.self)
    (pending, count) = (joined.pending, joined.used)
  }

  /// Codes a DC difference, and appends other bits in the same step.
  ///
  /// The first of the other bits is the highest, with zeros below; there are at most 32.
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

  /// Appends up to 63 bits, right-aligned.
  @inline(__always)
  mutating func write(_ bits: UInt64, _ number: Int) {
    append(bits &<< UInt64(truncatingIfNeeded: 64 &- number), number)
  }

  /// Appends 1 to 64 bits, left-aligned with zeros below.
  @inline(__always)
  mutating func append(_ bits: UInt64, _ number: Int) {
    let word = pending | bits &>> UInt64(truncatingIfNeeded: count)
    // In two steps, because `&<<` by 64 does nothing.
    let rest = (bits &<< 1) &<< UInt64(truncatingIfNeeded: 63 &- count)
    count &+= number
    let isFull = count >= 64
    count &= 63
    pending = isFull ? rest : word
    unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.bigEndian, as: UInt64.self)
    unsafe end += isFull ? 8 : 0
  }

  /// The number of bits missing from a whole byte.
  var missingBits: Int { (64 - count) % 8 }

  /// Writes the pending bits.
  ///
  /// `fill` has the padding bits of the last byte, right-aligned.
  mutating func flush(_ fill: UInt64) {
    let missing = missingBits
    if missing > 0 { write(fill, missing) }
    store()
    unsafe end += count / 8
    (pending, count) = (0, 0)
  }

  /// Stores the pending bits, with zeros after them, without changing the state.
  mutating func store() {
    unsafe UnsafeMutableRawPointer(end).storeBytes(of: pending.bigEndian, as: UInt64.self)
  }

  mutating func move(to end: UnsafeMutablePointer<UInt8>) { unsafe self.end = end }
}
