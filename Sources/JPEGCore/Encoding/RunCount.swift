/// The frequencies of runs and coefficients of a component.
@safe
final class RunCount {
  /// The frequencies of the indexes of ``RunCodes``.
  private let indexes: UnsafeMutablePointer<UInt32>
  /// The frequencies of the symbols of other coefficients.
  private var symbols = [Int](repeating: 0, count: 256)

  init() {
    unsafe indexes = .allocate(capacity: RunCodes.size)
    unsafe indexes.initialize(repeating: 0, count: RunCodes.size)
  }

  deinit { unsafe indexes.deallocate() }

  @inline(__always)
  func add(_ index: Int) { unsafe indexes[index & (RunCodes.size &- 1)] &+= 1 }

  func add(run: Int, value: Int16) {
    symbols[SequentialCoder.zeroRun] += run / 16
    symbols[(run & 15) << 4 | category(of: Int(value)) & 15] += 1
  }

  /// The frequencies of the 256 symbols.
  var frequencies: [Int] {
    var result = symbols
    for index in 0..<RunCodes.size where unsafe indexes[index] > 0 {
      let (run, bits) = (index >> 8, UInt8(truncatingIfNeeded: index))
      let symbol =
        switch bits {
        case TransformedBlock.eob: SequentialCoder.eob
        default: run << 4 | category(of: Int(RunCodes.value(bits)))
        }
      if bits != TransformedBlock.none { result[symbol] += unsafe Int(indexes[index]) }
    }
    return result
  }
}
