import JPEGCore
import Testing

/// The order of elements by ranges, whole numbers and names.
struct OrderTests {
  @Test func `An insertion comes before a replacement, and equal ranges keep their order`() {
    let elements = [(3..<9, "a"), (3..<3, "b"), (0..<1, "c"), (3..<9, "d"), (3..<5, "e")]
    #expect(elements.inFileOrder { $0.0 }.map(\.1) == ["c", "b", "e", "a", "d"])
  }

  @Test func `Equal numbers keep their order`() {
    let numbers = [5, -1, 5, Int.max, Int.min, 0, -1]
    let ordered = numbers.enumerated().ordered { $0.element }
    #expect(ordered.map(\.element) == numbers.sorted())
    #expect(ordered.map(\.offset) == [4, 1, 6, 5, 0, 2, 3])
  }

  @Test func `Names are in alphabetical order`() {
    #expect(["b", "", "ab", "a", "B"].alphabetical { $0 } == ["", "B", "a", "ab", "b"])
    #expect([Int]().alphabetical { "\($0)" }.isEmpty)
  }
}
