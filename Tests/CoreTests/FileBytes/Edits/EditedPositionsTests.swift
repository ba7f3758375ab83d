import FileBytes
import Fixtures
import Testing

struct EditedPositionsTests {
  @Test func `Positions and growths are the sums of the edits before and within`() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<2000 {
      // Disjoint edits, of which some are insertions, in any order.
      var place = 0
      let edits = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        let start = place + Int.random(in: 0...4, using: &generator)
        place = start + Int.random(in: 0...4, using: &generator)
        let new = [UInt8](repeating: 1, count: Int.random(in: 0...6, using: &generator))
        return Edit(start..<place, with: new, field: Edit.Field("test"))
      }.shuffled(using: &generator)
      let positions = EditedPositions(edits)
      let offset = Int.random(in: 0...60, using: &generator)
      let end = Int.random(in: 0...60, using: &generator)
      let before = edits.filter { $0.range.upperBound <= offset }
      #expect(positions.position(of: offset) == offset + before.totalShift)
      let within = edits.filter { $0.range.lowerBound >= offset && $0.range.lowerBound < end }
      #expect(positions.growth(from: offset, to: end) == within.totalShift)
    }
  }
}
