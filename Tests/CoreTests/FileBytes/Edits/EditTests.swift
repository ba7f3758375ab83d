import FileBytes
import Fixtures
import Testing

private func edit(_ range: Range<Int>, _ text: String) -> Edit {
  Edit(range, with: Array(text.utf8), field: Edit.Field("test"))
}

private func apply(_ edits: [Edit], to text: String) -> String {
  String(decoding: edits.applied(to: Array(text.utf8)), as: UTF8.self)
}

struct EditTests {
  @Test func `Without edits the result is a copy`() {
    #expect(apply([], to: "abcdef") == "abcdef")
    #expect(apply([], to: "") == "")
  }

  @Test func `Edits replace, insert and delete, in any order of the list`() {
    let edits = [edit(4..<6, "EF!"), edit(0..<0, ">"), edit(1..<2, ""), edit(6..<6, "<")]
    #expect(apply(edits, to: "abcdef") == ">acdEF!<")
    #expect(apply(edits.reversed(), to: "abcdef") == ">acdEF!<")
    #expect(edits.totalShift == 2)
    #expect(edits.map(\.shift) == [1, 1, -1, 1])
  }

  @Test func `Edits that touch do not overlap`() {
    #expect(apply([edit(0..<2, "X"), edit(2..<4, "Y")], to: "abcd") == "XY")
  }

  @Test func `Random edits have the result of single replacements from the end`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let original = (0..<Int.random(in: 0...60, using: &generator)).map { UInt8($0) }
      var cuts = (0..<8).map { _ in Int.random(in: 0...original.count, using: &generator) }
      cuts = Set(cuts).sorted()
      let edits = zip(cuts, cuts.dropFirst()).filter { _ in
        Bool.random(using: &generator)
      }.map { lower, upper in
        Edit(
          lower..<upper,
          with: [UInt8](repeating: 0xEE, count: Int.random(in: 0...9, using: &generator)),
          field: Edit.Field("test")
        )
      }
      var expected = original
      for edit in edits.reversed() { expected.replaceSubrange(edit.range, with: edit.replacement) }
      let result = edits.shuffled(using: &generator).applied(to: original)
      #expect(result == expected)
      #expect(result.count == original.count + edits.totalShift)
    }
  }
}
