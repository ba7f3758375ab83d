internal import FileBytes
internal import ImageOrientation
internal import Upright

/// What a comparison found.
enum Observation {
  case finding(Verdict.Finding)
  case note(Verdict.Finding)
  /// An expected difference.
  case difference(Verdict.Difference)
  /// What the result has as the original does, or changed, and may not fit the image.
  case unfit(RegisteredData)

  /// Returns the observation on positions that may not fit the image.
  static func kept(_ name: String, at offset: Int = 0) -> Observation {
    .unfit(
      RegisteredData(kind: "positions", name: name, effect: .misregistered, offset: offset)
    )
  }

  static func finding(
    _ code: Verdict.Finding.Code.Known,
    _ text: String,
    original: Int? = nil,
    result: Int? = nil
  ) -> Observation {
    .finding(
      Verdict.Finding(.init(code), text, originalOffset: original, resultOffset: result)
    )
  }

  static func note(
    _ code: Verdict.Finding.Code.KnownNote,
    _ text: String,
    original: Int? = nil,
    result: Int? = nil,
    remedies: [Remedy] = []
  ) -> Observation {
    .note(
      Verdict.Finding(
        .init(code),
        text,
        originalOffset: original,
        resultOffset: result,
        remedies: remedies
      )
    )
  }

  static func difference(
    _ field: String,
    _ original: Range<Int>,
    _ result: Range<Int>,
    old: String = "",
    new: String = ""
  ) -> Observation {
    .difference(
      Verdict.Difference(
        field: Change.Field(rawValue: field),
        original: original,
        result: result,
        old: old,
        new: new
      )
    )
  }
}

extension [Observation] {
  /// The fields of the expected differences.
  var fields: Set<String> {
    var fields: Set<String> = []
    for case .difference(let difference) in self { fields.insert(difference.field.rawValue) }
    return fields
  }

  var hasFinding: Bool {
    contains { observation in
      if case .finding = observation { return true }
      return false
    }
  }

  /// Returns the observations on an embedded image, whose role is a prefix of its fields.
  func prefixed(_ role: EmbeddedImage.Role) -> [Observation] {
    map { observation in
      guard case .difference(var difference) = observation else { return observation }
      difference.field = Change.Field(rawValue: "\(role.rawValue).\(difference.field.rawValue)")
      return .difference(difference)
    }
  }
}

extension Verdict {
  private static let maxListLength = 20

  init(_ transform: OrientationTransform, _ images: [Image], _ observations: [Observation]) {
    self.init(transform: transform, images: images)
    var (found, noted): (Set<Finding>, Set<Finding>) = ([], [])
    var counts: [Finding.Code: Int] = [:]
    for observation in observations {
      switch observation {
      case .difference(let difference): differences.append(difference)
      case .unfit(let data): if !misregistered.contains(data) { misregistered.append(data) }
      case .note(let note): if noted.insert(note).inserted { notes.append(note) }
      case .finding(let finding):
        // A rebuilt file differs everywhere.
        guard counts[finding.code, default: 0] < Self.maxListLength,
          found.insert(finding).inserted
        else { continue }
        counts[finding.code, default: 0] += 1
        findings.append(finding)
      }
    }
    differences = differences.ordered { $0.result.lowerBound }
      .ordered { $0.original.lowerBound }
  }
}
