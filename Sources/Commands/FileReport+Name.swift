internal import ImageFormats
internal import SystemPackage
internal import Upright

extension FileReport {
  /// Compares the ending of the name with the format, and notes the name that the file should have.
  ///
  /// Only a file that is already upright is skipped for its name, because commands rewrite others under any name.
  ///
  /// - Parameter isTaken: Whether commands process a JPEG file with this name all the same.
  mutating func checkName(isTaken: Bool) {
    guard let facts, let format = ImageFormat(rawValue: facts.format),
      let name = path.lastComponent, let ending = name.extension, !format.mayHave(ending: ending)
    else { return }
    let expected = "\(name.stem).\(format.ending)"
    expectedName = expected
    guard format != .jpeg || !isTaken, case .planned(var plan) = result else { return }
    guard case .unchanged(let reason) = plan.action, reason.code != .appliedByReaders else {
      return
    }
    plan.action = .skip(
      Reason(
        Reason.Code(rawValue: "misnamed"),
        "the content is \(format.name); the name should be \(expected)",
        advice: format == .jpeg
          ? "rename it, or process it as it is with --all-names" : "rename it"
      )
    )
    result = .planned(plan)
  }
}
