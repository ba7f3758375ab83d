import Foundation

/// How much the tests repeat: by day a part of what `.ci/nightly` runs, in memory (``Scratch``).
package enum Effort {
  /// Whether everything is tried (`UPRIGHT_EXHAUSTIVE`).
  package static let isExhaustive =
    ProcessInfo.processInfo.environment["UPRIGHT_EXHAUSTIVE"]?.isEmpty == false

  /// Returns how many of so many rounds to run: by day a third.
  package static func rounds(_ count: Int) -> Int { isExhaustive ? count : (count + 2) / 3 }

  /// Returns the elements to try in one of several runs over all of them: by day a third, others in each run.
  package static func part<Element>(_ all: [Element], of run: Int) -> [Element] {
    isExhaustive ? all : all.indices.filter { ($0 + run) % 3 == 0 }.map { all[$0] }
  }
}
