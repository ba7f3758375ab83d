/// How a frame is coded: the n of its SOFn (T.81, table B.1).
package struct CodingProcess: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let baseline = CodingProcess(rawValue: 0)
  package static let extended = CodingProcess(rawValue: 1)
  package static let progressive = CodingProcess(rawValue: 2)

  /// Whether coefficients come in several scans of growing precision.
  package var isProgressive: Bool { rawValue & 3 == 2 }
  /// Whether samples are predicted instead of transformed.
  package var isLossless: Bool { rawValue & 3 == 3 }
  /// Whether the entropy coder is the arithmetic one.
  package var isArithmetic: Bool { rawValue >= 9 }
  /// Whether frames are differences to other frames.
  package var isHierarchical: Bool { rawValue & 4 != 0 }
}

extension CodingProcess: CustomStringConvertible {
  /// The process in words, such as `baseline` or `progressive, arithmetic`.
  package var description: String {
    let kind =
      switch rawValue & 3 {
      case 0: isArithmetic || isHierarchical ? "sequential" : "baseline"
      case 1: isHierarchical ? "sequential" : "extended"
      case 2: "progressive"
      default: "lossless"
      }
    return kind + (isArithmetic ? ", arithmetic" : "") + (isHierarchical ? ", hierarchical" : "")
  }
}
