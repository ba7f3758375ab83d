internal import ArgumentParser

extension ClosedRange<Int> {
  /// Checks the value of an option.
  ///
  /// - Throws: `ValidationError`, if the value is outside of this range.
  func check(_ value: Int, of option: String) throws {
    guard contains(value) else {
      throw ValidationError("\(option) must be from \(lowerBound) to \(upperBound).")
    }
  }
}
