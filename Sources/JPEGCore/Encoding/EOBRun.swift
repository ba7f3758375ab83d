/// A run of blocks without further coefficients, as far as it has come (T.81, G.1.2.2).
///
/// An encoder holds it back until it ends. A decoder follows it, to find out by which rule it ends.
struct EOBRun {
  /// The longest run that can be coded.
  static let maxLength = 0x7FFF
  /// libjpeg ends a run before its buffer of 1000 correction bits could overflow.
  private static let maxCorrectionBits = 1000 - 64 + 1

  /// The number of blocks; 0 where there is no run.
  private(set) var length = 0
  /// Whether its first block has new coefficients.
  private var beginsAfterCoefficients = false
  /// The number of correction bits of its blocks.
  private var correctionBits = 0

  /// Begins with a block.
  @inline(__always)
  mutating func begin(afterCoefficients: Bool, correctionBits: Int) {
    length = 1
    beginsAfterCoefficients = afterCoefficients
    self.correctionBits = correctionBits
  }

  /// Continues with a block.
  @inline(__always)
  mutating func join(correctionBits: Int) {
    length &+= 1
    self.correctionBits &+= correctionBits
  }

  @inline(__always)
  mutating func end() { length = 0 }

  /// Whether a rule lets the next block continue the run.
  @inline(__always)
  func continues(by rule: EOBRuns.Rule) -> Bool {
    guard length < Self.maxLength, correctionBits <= Self.maxCorrectionBits else { return false }
    return switch rule {
    case .maximal: true
    case .separateAfterCoefficients: !beginsAfterCoefficients || length > 1
    case .single: false
    }
  }
}

/// The bits of the coefficients in a spectral band.
func bandMask(_ spectrum: ClosedRange<Int>) -> UInt64 {
  (UInt64.max >> UInt64(63 - spectrum.upperBound)) & ~((1 << UInt64(spectrum.lowerBound)) - 1)
}

extension EOBRun {
  /// Whether the next block, without new coefficients, continues the run.
  ///
  /// - Parameters:
  ///   - runs: Where runs end.
  ///   - number: The number of the block in the scan.
  /// - Returns: Whether it does.
  @inline(__always)
  func continues(by runs: EOBRuns, at number: Int) -> Bool {
    guard length > 0 else { return false }
    let continues = continues(by: runs.rule)
    guard !runs.exceptions.isEmpty, runs.exceptions.contains(number) else { return continues }
    return !continues && length < Self.maxLength
  }

  /// Codes the run, if there is one, and ends it.
  @inline(__always)
  mutating func put<Register: EntropyRegister>(table: Int, into register: inout Register) {
    guard length > 0 else { return }
    let size = category(length) &- 1
    register.put(
      symbol: size &<< 4,
      table: table,
      bits: UInt32(truncatingIfNeeded: length),
      count: size
    )
    end()
  }
}
