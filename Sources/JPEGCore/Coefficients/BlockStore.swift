internal import ImageOrientation

/// In what form the AC coefficients of blocks are kept.
protocol BlockForm {
  /// What is kept of each block: its DC coefficient, and the place of its AC coefficients.
  associatedtype Block: BitwiseCopyable
  /// What strings of AC coefficients are made of.
  associatedtype Unit: BitwiseCopyable

  static var empty: Block { get }
  /// The most units that the AC coefficients of a block take.
  static var maxUnits: Int { get }

  /// Writes the AC coefficients of a block.
  ///
  /// - Parameters:
  ///   - block: The block as the transform gives it.
  ///   - component: The component that it belongs to.
  ///   - start: The offset of what is written.
  ///   - end: Where it is written.
  /// - Returns: What is kept of the block.
  mutating func put(
    _ block: borrowing TransformedBlock,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<Unit>
  ) -> Block
}

/// Keeps blocks in a form, each in its transformed place, while they are near in the processor's memory.
///
/// The strings of AC coefficients are in the order of decoding; only the blocks' places are transformed.
@safe
final class BlockStore<Form: BlockForm> {
  private(set) var blocks: [Form.Block]
  private(set) var form: Form
  private(set) var isOutOfRange = false
  private var transform: CoefficientTransform
  /// The AC coefficients of all blocks so far, and room after them.
  private var room: [Form.Unit]
  private var used = 0
  /// The most units that come at once.
  private let maxRun: Int

  /// - Parameters:
  ///   - form: The form.
  ///   - planes: The components' places in the transformed image.
  ///   - transform: How to transform the image.
  ///   - expectedUnits: A guess of how many units there will be.
  ///   - maxRun: The most blocks that come at once.
  init(
    _ form: Form,
    planes: [CoefficientImage.Plane],
    transform: OrientationTransform,
    expectedUnits: Int,
    maxRun: Int
  ) {
    self.form = form
    self.transform = CoefficientTransform(transform)
    self.maxRun = maxRun * Form.maxUnits
    blocks = [Form.Block](
      repeating: Form.empty,
      count: planes.reduce(0) { $0 + $1.columns * $1.rows }
    )
    room = Self.room(expectedUnits + self.maxRun)
  }

  private static func room(_ count: Int) -> [Form.Unit] {
    // Units are numbers, and none is read before it is written.
    unsafe [Form.Unit](unsafeUninitializedCapacity: count) { $1 = count }
  }

  /// Gives up the AC coefficients of all blocks.
  ///
  /// - Parameter rest: The number of additional units, fewer than a block may take; their values mean nothing.
  /// - Returns: The units.
  func finish(rest: Int = 0) -> [Form.Unit] {
    var result = room
    room = []
    result.removeLast(max(0, result.count - used - rest))
    return result
  }

  /// Takes a run of blocks.
  ///
  /// - Parameter give: Gives the blocks, no more of them than the longest run, and how to transform them.
  /// - Returns: What `give` returns.
  @inline(__always)
  func takeRun(_ give: (inout BlockRun<Form>, inout CoefficientTransform) -> Bool) -> Bool {
    if room.count - used < maxRun {
      var larger = Self.room(room.count + room.count / 2 + maxRun)
      larger.replaceSubrange(0..<used, with: room[..<used])
      room = larger
    }
    return unsafe blocks.withUnsafeMutableBufferPointer { [used] blocks in
      unsafe room.withUnsafeMutableBufferPointer { room in
        guard let start = room.baseAddress else { return false }
        var run = unsafe BlockRun(form, room: start + used, first: used, blocks: blocks)
        let result = give(&run, &transform)
        form = run.form
        if run.isOutOfRange { isOutOfRange = true }
        unsafe self.used += run.end - (start + used)
        return result
      }
    }
  }
}

/// Blocks that come one after the other: a local variable meanwhile, so that it stays in registers.
@safe
struct BlockRun<Form: BlockForm> {
  private(set) var form: Form
  private(set) var isOutOfRange = false
  /// Where the next unit goes.
  private(set) var end: UnsafeMutablePointer<Form.Unit>
  private let room: UnsafeMutablePointer<Form.Unit>
  /// The offset of the first unit.
  private let first: Int
  private let blocks: UnsafeMutableBufferPointer<Form.Block>

  @unsafe @inline(__always)
  init(
    _ form: Form,
    room: UnsafeMutablePointer<Form.Unit>,
    first: Int,
    blocks: UnsafeMutableBufferPointer<Form.Block>
  ) {
    self.form = form
    unsafe end = room
    unsafe self.room = room
    self.first = first
    unsafe self.blocks = blocks
  }

  /// Takes a block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - component: The component that it belongs to.
  ///   - place: The index of the transformed block.
  @inline(never)
  mutating func put(_ block: borrowing TransformedBlock, component: Int, at place: Int) {
    if block.isOutOfRange { isOutOfRange = true }
    let start = unsafe first &+ (end - room)
    unsafe blocks[place] = form.put(block, component: component, start: start, &end)
  }

  /// Looks at a block that nobody wants: damage is damage there, too.
  @inline(__always)
  mutating func passOver(_ block: borrowing TransformedBlock) {
    if block.isOutOfRange { isOutOfRange = true }
  }
}
