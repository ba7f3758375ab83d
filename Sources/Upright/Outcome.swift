/// What became of a file.
public enum Outcome: Sendable {
  /// The file stays as it is: unchanged, or skipped.
  case unchanged(Plan)
  /// The new file.
  case rewritten(Rewrite)

  /// The plan that was carried out.
  public var plan: Plan {
    switch self {
    case .unchanged(let plan): plan
    case .rewritten(let rewrite): rewrite.plan
    }
  }
}

/// A rewritten file and all that is to say about it.
public struct Rewrite: Sendable {
  /// The plan that was carried out.
  public var plan: Plan
  /// The new file.
  public var bytes: [UInt8]
  /// Every change, in file order.
  public var changes: [Change]
  /// How the result was checked.
  public var verification: Verification
  /// What it takes to get the original back from the result; nil where that cannot be promised, or was not
  /// asked for.
  public var undo: UndoRecord?

  /// What a redraw changed; nil when the transform was lossless.
  public var redraw: RedrawReport?

  /// How a result was checked before it was given out.
  public enum Verification: String, CaseIterable, Sendable {
    /// The original was restored from the result and is identical, byte for byte.
    case restored
    /// Its coefficients are those of TurboJPEG's lossless transform of the original.
    case reference
    /// Every coefficient that was to be kept is in the result; the identical file cannot be restored.
    case coefficients
    /// It was not checked.
    case none
  }
}

/// What a redraw changed.
public struct RedrawReport: Hashable, Sendable {
  /// The peak signal-to-noise ratio of the displayed red, green and blue, in decibels; infinite when nothing differs.
  ///
  /// Chroma is interpolated between samples as most decoders do: libjpeg calls it fancy upsampling. In an image that
  /// is not YCbCr, the ratio is that of the components.
  public var psnr: Double
  /// The largest difference of two displayed values, 0 to 255.
  public var largestError: Int
  /// Coefficients of the original that the record must name to restore it; 0 after a crop, which has none.
  public var exceptions: Int
  /// How many bytes of the record the exceptions take.
  public var exceptionBytes: Int
  /// The bytes of the image's entropy-coded data before.
  public var sizeBefore: Int
  /// The bytes of the image's entropy-coded data afterwards.
  public var sizeAfter: Int
}
