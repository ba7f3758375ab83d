public import ImageOrientation

/// What a comparison of two files found: whether one is the other made upright, and nothing else.
public struct Verdict: Sendable {
  /// Something that is not as it must be; machine output carries its identifier, `docs/output.md` lists them.
  public struct Finding: Hashable, Sendable {
    /// The stable identifier.
    public var identifier: String
    /// What was found, in words for people.
    public var text: String
    /// Where it stands in the original, if there.
    public var originalOffset: Int?
    /// Where it stands in the result, if there.
    public var resultOffset: Int?

    /// Makes a finding from its parts.
    public init(identifier: String, text: String, originalOffset: Int?, resultOffset: Int?) {
      self.identifier = identifier
      self.text = text
      self.originalOffset = originalOffset
      self.resultOffset = resultOffset
    }
  }

  /// Bytes that differ as they should.
  public struct Difference: Hashable, Sendable {
    /// What the bytes mean.
    public var field: Change.Field
    /// Which bytes of the original; empty where the result has more.
    public var original: Range<Int>
    /// Which bytes of the result; empty where the original has more.
    public var result: Range<Int>
    /// The value in the original, in words; empty where it has none.
    public var old: String
    /// The value in the result, in words.
    public var new: String
  }

  /// One component of an image in both files.
  public struct Component: Hashable, Sendable {
    /// Whether every coefficient is the same under the transform.
    public var isLossless: Bool
    /// The peak signal-to-noise ratio of the samples in decibels; infinite when none differs.
    public var psnr: Double
    /// The largest difference of two samples, 0 to 255.
    public var largestError: Int
  }

  /// How an image of the result shows what the original's does.
  public enum Relation: String, CaseIterable, Sendable {
    /// The same bytes.
    case identical
    /// Every coefficient is the same under the transform, with the same quantization steps.
    case lossless
    /// Nothing but the components that a transform cannot keep were re-encoded.
    case reencoded = "re-encoded"
    /// The kept part is exact, the partial MCUs at an edge were cut off.
    case trimmed
    /// Another image, or the same one encoded again.
    case different
  }

  /// An image in both files.
  public struct Image: Hashable, Sendable {
    /// What it is for; nil for the primary image.
    public var role: EmbeddedImage.Role?
    /// Where it stands in the original.
    public var original: Range<Int>
    /// Where it stands in the result.
    public var result: Range<Int>
    /// How it was transformed, as far as that is known.
    public var transform: OrientationTransform
    /// How both relate.
    public var relation: Relation
    /// Its components; empty where they could not be compared.
    public var components: [Component]
    /// How many coefficients were compared.
    public var coefficients: Int
  }

  /// The transform that the original's orientation asks for, with what was stated on top.
  public var transform: OrientationTransform
  /// The images, the primary one first.
  public var images: [Image] = []
  /// What differs as it should, in file order.
  public var differences: [Difference] = []
  /// What is not as it must be; the proof failed where there is any.
  public var findings: [Finding] = []
  /// What people should know besides.
  public var notes: [Finding] = []

  /// Whether the files are the same, and the original was upright.
  var isAlreadyUpright = false

  /// Whether the result is proven to be the original made upright.
  public var isProven: Bool { findings.isEmpty }

  /// What a comparison of two files comes to.
  public enum Conclusion: String, CaseIterable, Sendable {
    /// The image has the same coefficients, transformed.
    case lossless
    /// Components that the transform cannot keep were re-encoded.
    case reencoded = "re-encoded"
    /// Partial MCUs at an edge were cut off, the rest is lossless.
    case trimmed
    /// The files are the same, and upright.
    case alreadyUpright = "already-upright"
    /// The files are the same; whether they are upright is not known.
    case identical
    /// Something is not as it must be.
    case notProven = "not-proven"
  }

  /// What the comparison comes to.
  public var conclusion: Conclusion {
    guard isProven, let image = images.first else { return .notProven }
    return switch image.relation {
    case .lossless: .lossless
    case .reencoded: .reencoded
    case .trimmed: .trimmed
    case .identical: isAlreadyUpright ? .alreadyUpright : .identical
    case .different: .notProven
    }
  }
}
