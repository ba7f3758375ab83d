/// The coding process of a frame: the n of SOFn (T.81, table B.1).
package struct CodingProcess: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let baseline = CodingProcess(rawValue: 0)
  package static let extended = CodingProcess(rawValue: 1)
  package static let progressive = CodingProcess(rawValue: 2)

  /// Whether the process is progressive.
  package var isProgressive: Bool { rawValue & 3 == 2 }
  /// Whether the process is lossless: samples are predicted, not transformed.
  package var isLossless: Bool { rawValue & 3 == 3 }
  /// Whether the entropy coding is arithmetic.
  package var isArithmetic: Bool { rawValue >= 9 }
  /// Whether the frame is differential.
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
    guard isArithmetic || isHierarchical else { return kind }
    return kind + (isArithmetic ? ", arithmetic" : "") + (isHierarchical ? ", hierarchical" : "")
  }
}
