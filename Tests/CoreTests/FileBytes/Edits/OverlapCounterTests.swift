import FileBytes
import Fixtures
import Testing

struct OverlapCounterTests {
  private func range(_ size: Int, _ generator: inout SeededGenerator) -> Range<Int> {
    let start = Int.random(in: 0...40, using: &generator)
    return start..<start + Int.random(in: 0...size, using: &generator)
  }

  @Test func `Ranges are counted as by a comparison with each`() {
    var generator = SeededGenerator(seed: 11)
    for number in 0..<2000 {
      // Long lists are sorted: most of their ranges are far from the part.
      let count = Int.random(in: 0...8, using: &generator)
      let others = number % 2 == 0 ? [] : (0..<100).map { 1000 + $0..<1010 + $0 }
      let list = ((0..<count).map { _ in range(9, &generator) } + others)
        .shuffled(using: &generator)
      let counter = OverlapCounter(list)
      let part = range(5, &generator)
      let owners = list.filter { $0.overlaps(part) }
      #expect(counter.count(part) == owners.count)
      let isOwned = owners.count == 1 && owners[0].clamped(to: part) == part
      #expect(counter.hasOneOwner(part) == isOwned)
    }
  }
}
