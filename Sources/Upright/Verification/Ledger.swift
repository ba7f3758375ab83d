internal import ImageOrientation

/// The two files under comparison, and what was found so far.
struct Ledger {
  let original: [UInt8]
  let result: [UInt8]
  /// What names of fields begin with: the role of an embedded image.
  var prefix = ""
  private(set) var differences: [Verdict.Difference] = []
  private(set) var findings: [Verdict.Finding] = []
  private(set) var notes: [Verdict.Finding] = []

  /// Findings of one kind that are listed one by one.
  private static let maxListLength = 20

  init(original: [UInt8], result: [UInt8]) {
    self.original = original
    self.result = result
  }

  /// Records bytes that differ as they should.
  mutating func differ(
    _ field: String,
    _ original: Range<Int>,
    _ result: Range<Int>,
    old: String = "",
    new: String = ""
  ) {
    differences.append(
      Verdict.Difference(
        field: Change.Field(rawValue: prefix + field),
        original: original,
        result: result,
        old: old,
        new: new
      )
    )
  }

  /// Records what is not as it must be.
  mutating func find(
    _ identifier: String,
    _ text: String,
    original: Int? = nil,
    result: Int? = nil
  ) {
    let finding = Verdict.Finding(
      identifier: identifier,
      text: text,
      originalOffset: original,
      resultOffset: result
    )
    // A file that was rebuilt differs everywhere.
    guard findings.filter({ $0.identifier == identifier }).count < Self.maxListLength else {
      return
    }
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// Records what people should know besides.
  mutating func note(
    _ identifier: String,
    _ text: String,
    original: Int? = nil,
    result: Int? = nil
  ) {
    let note = Verdict.Finding(
      identifier: identifier,
      text: text,
      originalOffset: original,
      resultOffset: result
    )
    if !notes.contains(note) { notes.append(note) }
  }

  /// Whether bytes of both files are the same.
  func isEqual(_ original: Range<Int>, _ result: Range<Int>) -> Bool {
    self.original[original] == self.result[result]
  }

  /// The verdict.
  func verdict(_ transform: OrientationTransform, _ images: [Verdict.Image]) -> Verdict {
    Verdict(
      transform: transform,
      images: images,
      differences: differences.sorted {
        ($0.original.lowerBound, $0.result.lowerBound)
          < ($1.original.lowerBound, $1.result.lowerBound)
      },
      findings: findings,
      notes: notes
    )
  }
}
