/// The details of a scan's data that the coefficients do not determine, and that are needed to code the same bytes
/// again.
///
/// The standard leaves some choices to the encoder, and some encoders deviate from it. Decoders observe them.
/// Everything is at its default for data that libjpeg writes.
package struct ReconstructionInfo: Hashable, Sendable {
  /// The details of one scan.
  package struct Scan: Hashable, Sendable {
    /// The padding bits before markers.
    package var fill = Fill()
    /// Whether a restart marker follows the last interval.
    package var endsWithRestart = false
    /// Where EOB runs end (progressive scans).
    package var runs = EOBRuns()
    /// The number of ZRL codes before the EOB of a block, by the block's number in the scan.
    package var zeroRuns: [Int: Int] = [:]
    /// Bytes between the last MCU and the next marker, which decoders skip; libjpeg warns of them in some cases.
    package var strayBytes: [UInt8] = []

    package init() {}
  }

  /// The scans in file order.
  package var scans: [Scan]
  /// The padding blocks that do not repeat the DC coefficient of the block before them.
  package var paddingBlocks: PaddingBlocks = [:]

  /// Creates the info of scans as libjpeg writes them.
  package init(scans count: Int) { scans = [Scan](repeating: Scan(), count: count) }

  /// The maximum number of stray bytes; data with more of them is damaged.
  package static let maxStrayBytes = 8

  /// Whether blocks have to be coded from their values: ``CodedImage`` has no ZRL codes before an EOB.
  package var needsBlocks: Bool { scans.contains { !$0.zeroRuns.isEmpty } }

  /// The number of stray bytes in all scans.
  package var strayByteCount: Int { scans.reduce(0) { $0 + $1.strayBytes.count } }

  /// The part of the info that applies to the transformed image: nothing.
  ///
  /// Whether libjpeg warns of stray bytes depends on where its buffer ends. The transformed image has none, so that no
  /// decoder warns of a result if it does not warn of the original.
  package var forTransformedImage: ReconstructionInfo { ReconstructionInfo(scans: scans.count) }
}

/// The padding bits of the last byte of each restart interval of a scan.
package struct Fill: Hashable, Sendable {
  /// Whether they are ones, as the standard requires.
  package var isOnes: Bool
  /// The bits of intervals that differ, by the interval's number.
  package var exceptions: [Int: FillBits]

  /// Creates a rule with its exceptions.
  package init(isOnes: Bool = true, exceptions: [Int: FillBits] = [:]) {
    self.isOnes = isOnes
    self.exceptions = exceptions
  }

  /// Creates the rule with the fewest exceptions.
  ///
  /// - Parameter bits: The bits of each interval.
  init(_ bits: [FillBits]) {
    let ones = bits.count { $0.areOnes }
    let zeros = bits.count { $0.areZeros }
    isOnes = ones >= zeros
    exceptions = [:]
    for (number, fill) in bits.enumerated() where !(isOnes ? fill.areOnes : fill.areZeros) {
      exceptions[number] = fill
    }
  }

  /// Returns the padding bits of a byte.
  ///
  /// - Parameters:
  ///   - interval: The number of the restart interval.
  ///   - count: The number of missing bits.
  /// - Returns: The bits, right-aligned.
  func bits(_ interval: Int, count: Int) -> UInt64 {
    if !exceptions.isEmpty, let exception = exceptions[interval], exception.count == count {
      return exception.value
    }
    return isOnes ? 1 << UInt64(count) - 1 : 0
  }
}

/// Where the EOB runs of a progressive AC scan end: a rule, and the blocks that do not follow it.
package struct EOBRuns: Hashable, Sendable {
  /// The rule for which blocks without new coefficients continue the run before them.
  package enum Rule: Int, CaseIterable, Sendable {
    /// All, until the run or its correction bits reach the limit, as in libjpeg.
    case maximal
    /// All, except the first one after a block with new coefficients.
    case separateAfterCoefficients
    /// None: each run has one block.
    case single
  }

  package var rule = Rule.maximal
  /// The numbers of the blocks that do not follow the rule.
  package var exceptions: Set<Int> = []

  package init() {}
}

/// Coefficients of padding blocks, 64 in zigzag order each.
package typealias PaddingBlocks = [PaddingBlock: [Int16]]

/// The position of a padding block.
package struct PaddingBlock: Hashable, Sendable {
  package var component: Int
  package var column: Int
  package var row: Int

  package init(component: Int, column: Int, row: Int) {
    self.component = component
    self.column = column
    self.row = row
  }
}
