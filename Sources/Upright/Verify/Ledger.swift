internal import ImageOrientation

/// The two files of a comparison and its findings so far.
struct Ledger {
  let original: [UInt8]
  let result: [UInt8]
  /// The prefix of field names: the role of an embedded image.
  var prefix = ""
  private(set) var differences: [Verdict.Difference] = []
  private(set) var findings: [Verdict.Finding] = []
  private(set) var notes: [Verdict.Finding] = []

  /// The maximum number of findings with the same identifier.
  private static let maxListLength = 20

  init(original: [UInt8], result: [UInt8]) {
    self.original = original
    self.result = result
  }

  /// Records an expected difference.
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

  /// Records a finding.
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
    // A rebuilt file differs everywhere.
    guard findings.filter({ $0.identifier == identifier }).count < Self.maxListLength else {
      return
    }
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// Records a note.
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

  /// Returns whether ranges of both files have the same bytes.
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
