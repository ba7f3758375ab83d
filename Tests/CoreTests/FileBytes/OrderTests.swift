import FileBytes
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

  @Test func `The partition point is the first element for which the condition holds`() {
    let numbers = [1, 3, 3, 7]
    for limit in 0...8 {
      let expected = numbers.firstIndex { $0 >= limit } ?? numbers.endIndex
      #expect(numbers.partitionPoint { $0 >= limit } == expected)
      #expect(numbers[2...].partitionPoint { $0 >= limit } == max(expected, 2))
    }
    #expect([Int]().partitionPoint { _ in true } == 0)
  }
}
