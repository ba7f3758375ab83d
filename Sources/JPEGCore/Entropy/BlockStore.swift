internal import ImageOrientation

/// Takes the blocks of a picture from a decoder.
package protocol BlockSink: AnyObject {
  /// Whether a coefficient was larger than any that a Huffman code can say.
  var isOutOfRange: Bool { get }

  /// Takes blocks that stand side by side, each 64 coefficients row by row.
  ///
  /// - Parameters:
  ///   - row: The first block.
  ///   - count: How many there are.
  ///   - component: The component that they belong to.
  ///   - place: The index of the first one in the turned picture.
  ///   - step: By how much the index grows from one to the next.
  func put(
    _ row: UnsafePointer<Int16>,
    count: Int,
    component: Int,
    at place: Int,
    step: Int
  )
}

/// In what form the AC coefficients of blocks are kept.
protocol BlockForm {
  /// What is kept of each block: its DC coefficient, and where its AC coefficients stand.
  associatedtype Block: BitwiseCopyable
  /// What strings of AC coefficients are made of.
  associatedtype Unit: BitwiseCopyable

  static var empty: Block { get }
  /// The most units that the AC coefficients of a block take.
  static var mostUnits: Int { get }

  /// Writes the AC coefficients of a block.
  ///
  /// - Parameters:
  ///   - block: The block as the turn gives it.
  ///   - component: The component that it belongs to.
  ///   - start: The offset of what is written.
  ///   - end: Where it is written.
  /// - Returns: What is kept of the block.
  mutating func put(
    _ block: TurnedBlock,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<Unit>
  ) -> Block
}

/// Keeps blocks in a form, each in its turned place, while they are near in the processor's memory.
///
/// The strings of AC coefficients stand in the order in which blocks come; only the blocks' places are turned.
@safe
final class BlockStore<Form: BlockForm>: BlockSink {
  private(set) var blocks: [Form.Block]
  /// The AC coefficients of all blocks so far.
  private(set) var units: [Form.Unit] = []
  private(set) var form: Form
  private(set) var isOutOfRange = false
  private let turn: BlockTurn
  /// The units of one row of blocks, with room for the longest.
  private let row: UnsafeMutablePointer<Form.Unit>

  /// - Parameters:
  ///   - form: The form.
  ///   - planes: The components' places in the turned picture.
  ///   - turn: How to turn the picture.
  ///   - expectedUnits: A guess of how many units there will be.
  init(_ form: Form, planes: [CoefficientImage.Plane], turn: Turn, expectedUnits: Int) {
    self.form = form
    self.turn = BlockTurn(turn)
    blocks = [Form.Block](
      repeating: Form.empty,
      count: planes.reduce(0) { $0 + $1.columns * $1.rows }
    )
    units.reserveCapacity(expectedUnits)
    let longest = planes.map { max($0.columns, $0.rows) }.max() ?? 0
    unsafe row = .allocate(capacity: longest * Form.mostUnits)
  }

  deinit { unsafe row.deallocate() }

  func put(
    _ row: UnsafePointer<Int16>,
    count: Int,
    component: Int,
    at place: Int,
    step: Int
  ) {
    let first = units.count
    var end = unsafe self.row
    // A local variable stays in registers.
    var form = form
    unsafe blocks.withUnsafeMutableBufferPointer { blocks in
      var place = place
      for number in 0..<count {
        let block = unsafe turn.turned(row + number &* 64)
        if block.isOutOfRange { isOutOfRange = true }
        unsafe blocks[place] = form.put(
          block,
          component: component,
          start: first &+ (end - self.row),
          &end
        )
        place &+= step
      }
    }
    self.form = form
    unsafe units.append(contentsOf: UnsafeBufferPointer(start: self.row, count: end - self.row))
  }
}
