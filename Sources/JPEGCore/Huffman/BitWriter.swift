internal import FileBytes

/// Writes Huffman codes as entropy-coded data: the most significant bit first, a zero byte stuffed after each 0xFF,
/// the last byte padded with ones (T.81, F.1.2.3).
///
/// Codes are written to a small buffer, which stays in the processor's cache and is appended to the data, with the
/// stuffed bytes, when it is full.
/// Every operation first calls ``reserve(_:)``, the only place where that happens.
@safe
package struct BitWriter: EntropySink, ~Copyable {
  package typealias Register = BitRegister

  private let codes: CodeTable
  /// The data before the buffer.
  private var data: [UInt8] = []
  private let buffer: UnsafeMutablePointer<UInt8>
  private var register: Register
  /// The padding bits of each restart interval's last byte.
  private let fill: Fill
  /// Bytes before the restart markers, by the number of the interval.
  private let intervalBytes: [Int: [UInt8]]
  /// The number of the current restart interval.
  private var interval = 0
  /// The number of bytes that were stuffed, and the maximum that is of use.
  package private(set) var stuffed = 0
  package var maxStuffed = Int.max

  /// The padding bits are ones by default, as the standard requires; `expectedSize` is in bytes.
  package init(
    codes: CodeTable,
    expectedSize: Int,
    fill: Fill = Fill(),
    intervalBytes: [Int: [UInt8]] = [:]
  ) {
    self.fill = fill
    self.intervalBytes = intervalBytes
    self.codes = codes
    data.reserveCapacity(expectedSize)
    unsafe buffer = .allocate(capacity: Self.bufferSize)
    unsafe register = Register(codes, end: buffer)
  }

  deinit { unsafe buffer.deallocate() }

  /// Whether a symbol was written for which the table has no code.
  package var lacksCode: Bool { register.lacksCode }

  @inline(__always)
  package mutating func put(_ bits: BitString) {
    guard bits.count > 0 else { return }
    reserve(Self.maxBytesOfOperation)
    register.append(bits.aligned, bits.count)
  }

  package mutating func restart(_ number: Int) {
    flush()
    spill()
    if !intervalBytes.isEmpty, let stray = intervalBytes[number] { data += stray }
    data.append(0xFF)
    data.append(0xD0 | UInt8(truncatingIfNeeded: number & 7))
  }

  package var isFull: Bool { stuffed > maxStuffed }

  /// Writes symbols that were recorded.
  mutating func put(_ symbols: RecordedSymbols) {
    let steps = symbols.steps.span
    var start = 0
    for (number, end) in (symbols.restarts + [steps.count]).enumerated() {
      if number > 0 { restart(number - 1) }
      while start < end {
        reserve(Self.maxBytesOfBlock)
        let next = min(start + Self.maxBytesOfBlock / Self.maxBytesOfStep, end)
        var register = register
        for index in start..<next { register.put(steps[index]) }
        self.register = register
        start = next
      }
    }
  }

  @inline(__always)
  package mutating func open() -> Register {
    reserve(Self.maxBytesOfBlock)
    return register
  }

  @inline(__always)
  package mutating func close(_ register: Register) { self.register = register }

  /// Pads the last byte and returns the data.
  package consuming func finish(
    withRestart: Bool = false,
    strayBytes: [UInt8] = []
  ) -> [UInt8] {
    if withRestart { restart(interval) } else { flush() }
    spill()
    data += strayBytes
    return data
  }

  private mutating func flush() {
    reserve(Self.maxBytesOfOperation)
    let missing = register.missingBits
    register.flush(fill.bits(interval, count: missing))
    interval += 1
  }

  /// Two words of the register.
  private static let maxBytesOfOperation = 16
  /// 64 coefficients of 31 bits, each after three ZRL codes of 16 bits.
  private static let maxBytesOfBlock = 64 * 10

  /// A code with the bits of a coefficient or others, and a word of the register.
  private static let maxBytesOfStep = 16

  private static let bufferSize = 1 << 14

  /// Reserves the space for one operation.
  @inline(__always)
  private mutating func reserve(_ bytes: Int) {
    if unsafe register.end - buffer > Self.bufferSize &- bytes { spill() }
  }

  /// Moves the bytes of the buffer to the data, each 0xFF followed by a zero byte.
  @inline(never)
  private mutating func spill() {
    let bytes = unsafe UnsafeBufferPointer(start: buffer, count: register.end - buffer)
    let span = unsafe bytes.span
    var start = 0
    while let hit = span.indexOfFF(from: start) {
      unsafe data.append(contentsOf: bytes[start...hit])
      data.append(0)
      stuffed += 1
      start = hit + 1
    }
    unsafe data.append(contentsOf: bytes[start...])
    unsafe register.move(to: buffer)
  }
}
