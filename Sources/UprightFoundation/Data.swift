public import Foundation
public import Upright
public import Verification

extension Rewriter {
  /// Returns the plan for a file, from its header.
  public func plan(_ file: Data) throws(UprightError) -> Plan { try plan([UInt8](file)) }

  /// Does what is requested with a file.
  public func rewrite(_ file: Data) throws(UprightError) -> Outcome {
    try rewrite([UInt8](file))
  }

  /// Audits a file.
  public func audit(
    _ file: Data,
    detail: Audit.Detail = .everything
  ) throws(UprightError) -> Audit {
    try audit([UInt8](file), detail: detail)
  }
}

extension Verifier {
  /// Compares two files.
  public func verify(original: Data, result: Data) throws(UprightError) -> Verdict {
    try verify(original: [UInt8](original), result: [UInt8](result))
  }
}

extension Rewrite {
  /// The new file.
  public var data: Data { Data(bytes) }
}

extension Outcome {
  /// Returns the new file, or the original if it is unchanged.
  ///
  /// - Parameter original: The original file.
  /// - Returns: The file.
  public func data(original: Data) -> Data {
    switch self {
    case .unchanged, .skipped: original
    case .rewritten(let rewrite): rewrite.data
    }
  }
}

extension UndoRecord {
  /// Restores the original.
  public func restoreOriginal(
    from result: Data,
    maxPixels: Int = Options().maxPixels
  ) throws(UprightError) -> Data {
    Data(try restoreOriginal(from: [UInt8](result), maxPixels: maxPixels))
  }

  /// The binary form.
  public var data: Data { Data(serialized) }

  /// Reads the binary form.
  public init(data: Data) throws(UprightError) { try self.init(serialized: [UInt8](data)) }
}
