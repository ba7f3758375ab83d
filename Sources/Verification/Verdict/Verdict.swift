public import ImageOrientation
public import Upright

/// The result of comparing two files: whether one is the other, normalized and otherwise unchanged.
public struct Verdict: Sendable {
  /// An unexpected difference, or a note.
  public struct Finding: Hashable, Sendable {
    /// The identifier.
    public var code: Code
    /// The text for people.
    public var text: String
    /// The offset in the original, if known.
    public var originalOffset: Int?
    /// The offset in the result, if known.
    public var resultOffset: Int?
    /// What changes the comparison.
    public var remedies: [Remedy]

    /// Creates a finding from its parts.
    package init(
      _ code: Code,
      _ text: String,
      originalOffset: Int? = nil,
      resultOffset: Int? = nil,
      remedies: [Remedy] = []
    ) {
      self.code = code
      self.text = text
      self.originalOffset = originalOffset
      self.resultOffset = resultOffset
      self.remedies = remedies
    }
  }

  /// An expected difference.
  public struct Difference: Hashable, Sendable {
    /// The field that the bytes belong to.
    public var field: Change.Field
    /// The range in the original; empty for an insertion.
    public var original: Range<Int>
    /// The range in the result; empty for a removal.
    public var result: Range<Int>
    /// The value in the original as text; empty if it has none.
    public var old: String
    /// The value in the result as text.
    public var new: String
  }

  /// The comparison of one component of an image.
  public struct Component: Hashable, Sendable {
    /// Whether every coefficient is equal under the transform.
    public var isLossless: Bool
    /// The peak signal-to-noise ratio of the samples in decibels; infinite if they are equal.
    public var psnr: Double
    /// The largest difference of two samples, 0 to 255.
    public var largestError: Int

    static let lossless = Component(isLossless: true, psnr: .infinity, largestError: 0)
  }

  /// The relation of an image in the result to the same image in the original.
  public enum Relation: String, CaseIterable, Sendable {
    /// The same bytes.
    case identical
    /// Every coefficient is equal under the transform, and the quantization steps are the same.
    case lossless
    /// Only components that cannot be transformed losslessly were re-encoded.
    case reencoded = "re-encoded"
    /// The partial MCUs at an edge were cut off; the kept part is lossless.
    case trimmed
    /// A different image, or the same image re-encoded.
    case different
  }

  /// The comparison of an image.
  public struct Image: Hashable, Sendable {
    /// The role of an embedded image; nil for the primary image.
    public var role: EmbeddedImage.Role?
    /// Its range in the original.
    public var original: Range<Int>
    /// Its range in the result.
    public var result: Range<Int>
    /// The transform from the original to the result, as far as known.
    public var transform: OrientationTransform
    /// The relation of the two.
    public var relation: Relation
    /// Its components; empty if they could not be compared.
    public var components: [Component] = []
    /// The number of coefficients compared.
    public var coefficients = 0
  }

  /// The expected transform: that of the original's orientation, followed by ``Verifier/then``.
  public var transform: OrientationTransform
  /// The images, the primary one first.
  public var images: [Image] = []
  /// The expected differences, in file order.
  public var differences: [Difference] = []
  /// The unexpected differences; if there are any, the result is rejected.
  public var findings: [Finding] = []
  /// Notes for people.
  public var notes: [Finding] = []

  /// What was compared as bytes and not interpreted, in the order of the original; empty if the files are identical,
  /// because then nothing can refer to another image than before.
  public var unread: [Unread] = []

  /// Whether both files have the same bytes.
  var areIdentical = false
  /// Whether the files are identical and upright.
  var isAlreadyUpright = false

  /// What is the same in both files of a format other than JPEG, as text: `9 items`; empty for JPEG files, of which
  /// coefficients are compared.
  package internal(set) var content = ""

  /// The registered data that the result has as the original does, although the image was transformed and the data
  /// no longer fits it or shows it as it was stored.
  public var misregistered: [RegisteredData] = []

  /// How far the result is the normalized original, from the strongest conclusion to the weakest.
  public enum Conclusion: Hashable, CaseIterable, Sendable {
    /// It is, and nothing is lost: every coefficient is kept, also those of embedded images, everything in the file fits the
    /// image, and all metadata was read to its end. So are identical files, unless their tag asks for a rotation.
    case proven
    /// It is, except for what ``Verdict/images``, ``Verdict/misregistered`` and ``Verdict/notes`` name: images that were re-encoded in
    /// part or trimmed, data that no longer fits the image, or a container that cannot be read to its end.
    case partlyProven
    /// It is not; ``Verdict/findings`` say why.
    case notProven
  }

  /// The conclusion.
  public var conclusion: Conclusion {
    switch detail {
    case .lossless, .alreadyUpright, .identical: .proven
    case .reencoded, .trimmed, .misregistered, .incomplete: .partlyProven
    case .notProven: .notProven
    }
  }

  /// Whether the result is proven to be the normalized original.
  public var isProven: Bool { conclusion == .proven }

  /// What a conclusion rests on.
  package enum Detail: Sendable {
    /// Every coefficient is kept, also those of embedded images, and no registered data is left as it was.
    case lossless
    /// Components of an image that cannot be transformed losslessly were re-encoded.
    case reencoded
    /// Partial MCUs at an edge of an image were cut off; the rest is lossless.
    case trimmed
    /// Every coefficient is kept, but data in the file no longer fits the image.
    case misregistered
    /// Everything that was read is as it should be, but a container of the file, which a note names, could not be read to
    /// its end.
    case incomplete
    /// The files are identical and upright.
    case alreadyUpright
    /// The files are identical; whether they are upright is unknown.
    case identical
    /// There are unexpected differences.
    case notProven
  }

  /// The roles of the images in a lossless photo that are re-encoded, such as `thumbnail`, each once; empty for other results.
  package var exceptions: [String] {
    guard detail == .reencoded, images.first?.relation != .reencoded else { return [] }
    let roles = images.filter { $0.relation == .reencoded }.compactMap { $0.role?.rawValue }
    return Set(roles).sorted()
  }

  /// What the conclusion rests on.
  package var detail: Detail {
    guard findings.isEmpty, let image = images.first else { return .notProven }
    let relations = images.map { $0.relation }
    if areIdentical { return isAlreadyUpright ? .alreadyUpright : .identical }
    if image.relation == .different { return .notProven }
    if relations.contains(.trimmed) { return .trimmed }
    if relations.contains(.reencoded) { return .reencoded }
    if !misregistered.isEmpty { return .misregistered }
    let isIncomplete = notes.contains { $0.code == Finding.Code(.containerUnread) }
    return isIncomplete ? .incomplete : .lossless
  }
}
