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
    /// Such bytes between the last MCU of a restart interval and its marker, by the interval's number.
    package var intervalBytes: [Int: [UInt8]] = [:]
  }

  /// The ends of the restart intervals of a scan that is decoded.
  struct Intervals {
    private var fills: [FillBits] = []
    private var bytes: [Int: [UInt8]] = [:]

    var count: Int { fills.count }

    mutating func append(_ tail: BitReader.Tail) {
      if !tail.strayBytes.isEmpty { bytes[count] = tail.strayBytes }
      fills.append(tail.fill)
    }

    /// Returns the details of the scan, of which this is the end.
    func scan(endingWith tail: BitReader.Tail) -> Scan {
      var scan = Scan()
      scan.fill = Fill(fills + [tail.fill])
      scan.endsWithRestart = tail.endsWithRestart
      scan.strayBytes = tail.strayBytes
      scan.intervalBytes = bytes
      return scan
    }
  }

  /// The scans in file order.
  package var scans: [Scan]
  /// The padding blocks that do not repeat the DC coefficient of the block before them.
  package var paddingBlocks: PaddingBlocks = [:]

  /// Creates the info of scans as libjpeg writes them.
  package init(scans count: Int) { scans = [Scan](repeating: Scan(), count: count) }

  /// Whether blocks have to be coded from their values: ``CodedImage`` has no ZRL codes before an EOB.
  package var needsBlocks: Bool { scans.contains { !$0.zeroRuns.isEmpty } }

  /// The number of stray bytes in all scans.
  package var strayByteCount: Int {
    scans.reduce(0) { sum, scan in
      sum + scan.strayBytes.count + scan.intervalBytes.values.reduce(0) { $0 + $1.count }
    }
  }

  /// The part of the info that applies to the transformed image: nothing.
  ///
  /// Whether libjpeg warns of stray bytes depends on where its buffer ends. The transformed image has none, so that no
  /// decoder warns of a result if it does not warn of the original.
  package var forTransformedImage: ReconstructionInfo { ReconstructionInfo(scans: scans.count) }
}
