package import ImageFormats
internal import SystemPackage
package import Upright

extension FileReport {
  /// Compares the ending of the name with the format of the content, and notes the name that the file should have.
  ///
  /// The content decides how a file is processed. Of the formats that are not rewritten, a wrong name is a reason.
  package mutating func checkName(of format: ImageFormat, isRewritten: Bool = false) {
    guard let name = path.lastComponent, let ending = name.extension, plan != nil,
      !format.mayHave(ending: ending)
    else { return }
    let expected = "\(name.stem).\(format.ending)"
    expectedName = expected
    let text = "the content is \(format.name); the name should be \(expected)"
    if case .skip = plan?.action { return }
    // Commands that rewrite the format do so under any name.
    guard format != .jpeg, !isRewritten, case .unchanged(let reason)? = plan?.action,
      reason.code != .appliedByReaders
    else { return add(Note(.misnamed, text)) }
    self.plan?.action = .skip(
      Reason(.misnamed, text, remedies: [Remedy(.action(.rename), "rename it")])
    )
  }

  /// Adds a note, if there is a plan.
  package mutating func add(_ note: Note) { plan?.notes.append(note) }
}
