internal import ArgumentParser

extension ClosedRange<Int> {
  /// Throws `ValidationError` if the value of an option is outside of this range.
  func check(_ value: Int, of option: String) throws {
    guard contains(value) else {
      throw ValidationError("\(option) must be from \(lowerBound) to \(upperBound).")
    }
  }
}
