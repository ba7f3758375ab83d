/// What a scan's data says beside its coefficients: all that coding them again needs to give the same bytes.
///
/// The standard leaves some things to the encoder, and encoders do others against it. A decoder observes them
/// while it reads. Everything is at its default for data that libjpeg writes.
package struct ReconstructionInfo: Hashable, Sendable {
  /// What is particular to one scan.
  package struct Scan: Hashable, Sendable {
    /// The bits that fill up bytes before markers.
    package var fill = Fill()
    /// Whether a restart marker follows the last interval.
    package var endsWithRestart = false
    /// Where runs of blocks without further coefficients end (progressive scans).
    package var runs = EOBRuns()
    /// How many codes for 16 zeros come before EOB, by the block's number in the scan.
    package var zeroRuns: [Int: Int] = [:]
    /// Bytes between the last MCU and the next marker, which libjpeg skips with a warning.
    package var strayBytes: [UInt8] = []

    package init() {}
  }

  /// The scans in file order.
  package var scans: [Scan]
  /// The blocks beyond the image's edge that do not repeat the DC value of the block before them.
  package var paddingBlocks: PaddingBlocks = [:]

  /// Creates the information of scans as libjpeg writes them.
  package init(scans count: Int) { scans = [Scan](repeating: Scan(), count: count) }

  /// The most stray bytes that are taken for an oddity; after more, data is damaged.
  package static let maxStrayBytes = 8

  /// Whether blocks are coded otherwise than one after the other, each by itself.
  package var needsBlocks: Bool { scans.contains { !$0.zeroRuns.isEmpty } }

  /// How many stray bytes there are in all scans.
  package var strayByteCount: Int { scans.reduce(0) { $0 + $1.strayBytes.count } }

  /// The part of the information that a transformed image keeps: its stray bytes.
  package var forTransformedImage: ReconstructionInfo {
    var result = ReconstructionInfo(scans: scans.count)
    for index in scans.indices { result.scans[index].strayBytes = scans[index].strayBytes }
    return result
  }
}

/// The bits that fill up the last byte of each restart interval of a scan.
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

  /// Finds the rule with the fewest exceptions.
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

  /// The bits that fill up a byte.
  ///
  /// - Parameters:
  ///   - interval: The number of the restart interval.
  ///   - count: How many bits are missing.
  /// - Returns: The bits as a number.
  func bits(_ interval: Int, count: Int) -> UInt64 {
    if !exceptions.isEmpty, let exception = exceptions[interval], exception.count == count {
      return exception.value
    }
    return isOnes ? 1 << UInt64(count) - 1 : 0
  }
}

/// Where the end-of-band runs of a progressive AC scan end: a rule, and the blocks that break it.
package struct EOBRuns: Hashable, Sendable {
  /// Which blocks without new coefficients continue the run before them.
  package enum Rule: Int, CaseIterable, Sendable {
    /// All, until the run or its correction bits become too many, as libjpeg does.
    case maximal
    /// The same, but for the first one after a block that has new coefficients.
    case separateAfterCoefficients
    /// None: each run has one block.
    case single
  }

  package var rule = Rule.maximal
  /// The numbers of the blocks for which it is the other way round.
  package var exceptions: Set<Int> = []

  package init() {}
}

/// Coefficients of padding blocks, 64 in zigzag order each.
package typealias PaddingBlocks = [PaddingBlock: [Int16]]

/// The place of a block beyond a component's edge.
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
