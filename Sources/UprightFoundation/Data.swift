public import Foundation
public import ImageOrientation
public import Upright

extension Normalizer {
  /// Returns the plan for a file, from its header.
  public func plan(_ file: Data) throws(UprightError) -> Plan { try plan([UInt8](file)) }

  /// Normalizes the orientation of a file, and applies the transform `then`.
  public func normalize(_ file: Data) throws(UprightError) -> Outcome {
    try normalize([UInt8](file))
  }

  /// Audits a file.
  public func audit(
    _ file: Data,
    detail: Audit.Detail = .everything
  ) throws(UprightError) -> Audit {
    try audit([UInt8](file), detail: detail)
  }
}

extension Cropper {
  /// Returns the plan for a file.
  public func plan(
    _ file: Data,
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Plan {
    try plan([UInt8](file), to: rectangle, snapping: snap)
  }

  /// Crops a file to a rectangle of the upright image.
  public func crop(
    _ file: Data,
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Outcome {
    try crop([UInt8](file), to: rectangle, snapping: snap)
  }
}

extension TagEditor {
  /// Returns the plan for a file.
  public func plan(_ file: Data) throws(UprightError) -> Plan { try plan([UInt8](file)) }

  /// Changes the tag of a file.
  public func edit(_ file: Data) throws(UprightError) -> Outcome { try edit([UInt8](file)) }
}

extension Verifier {
  /// Compares two files.
  public func verify(original: Data, result: Data) throws(Unreadable) -> Verdict {
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
