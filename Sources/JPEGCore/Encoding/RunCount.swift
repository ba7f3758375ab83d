/// The frequencies of runs and coefficients of a component.
@safe
final class RunCount {
  /// The frequencies of the indexes of ``ComponentCodes``.
  private let indexes: UnsafeMutablePointer<UInt32>
  /// The frequencies of the symbols of other coefficients.
  private var symbols = [Int](repeating: 0, count: 256)

  init() {
    unsafe indexes = .allocate(capacity: ComponentCodes.size)
    unsafe indexes.initialize(repeating: 0, count: ComponentCodes.size)
  }

  deinit { unsafe indexes.deallocate() }

  @inline(__always)
  func add(_ index: Int) { unsafe indexes[index & (ComponentCodes.size &- 1)] &+= 1 }

  func add(run: Int, value: Int16) {
    symbols[SequentialCoder.zeroRun] += run / 16
    symbols[(run & 15) << 4 | category(abs(Int(value))) & 15] += 1
  }

  func addEOB() { symbols[SequentialCoder.eob] += 1 }

  /// The frequencies of the 256 symbols.
  var frequencies: [Int] {
    var result = symbols
    for index in 0..<ComponentCodes.size {
      let (run, bits) = ComponentCodes.content(index)
      let count = unsafe Int(indexes[index])
      if count == 0 || bits == TransformedBlock.none { continue }
      if bits == TransformedBlock.eob {
        result[SequentialCoder.eob] += count
        continue
      }
      // The additional bits of a negative value are the value minus 1.
      let extended = Int(Int8(bitPattern: bits))
      let size = category(extended < 0 ? ~extended : extended)
      result[SequentialCoder.zeroRun] += run / 16 * count
      result[(run & 15) << 4 | size] += count
    }
    return result
  }
}
