/// One block in a store: its DC coefficient, and the position of its AC coefficients.
protocol StoredBlock: BitwiseCopyable {
  /// Returns the entry of the block after other units.
  func moved(by distance: Int) -> Self
}

/// A form in which AC coefficients are stored: as values (``SparseForm``), as Huffman codes (``CodedForm``), or as runs
/// (``RunForm``).
protocol BlockForm {
  associatedtype Block: StoredBlock
  /// The unit of the strings of AC coefficients.
  associatedtype Unit: BitwiseCopyable & FixedWidthInteger

  static var empty: Block { get }
  static var maxUnits: Int { get }

  mutating func put(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<Unit>
  ) -> Block

  /// Appends the codes of the next block if this form has the same codes; nil if it must be decoded, and nothing was
  /// read.
  mutating func copy(
    _ tables: BlockTables,
    _ reader: inout BitReader,
    _ prediction: inout Int,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<Unit>
  ) -> Block?
}

extension BlockForm {
  /// Most forms have other codes, or none.
  @inline(__always)
  mutating func copy(
    _ tables: BlockTables,
    _ reader: inout BitReader,
    _ prediction: inout Int,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<Unit>
  ) -> Block? { nil }
}

/// Stores blocks in a form while they are still in the processor's cache.
///
/// The strings of AC coefficients are in the order in which the blocks are decoded; only the entries in ``blocks`` are
/// in the order of the transformed image.
@safe
final class BlockStore<Form: BlockForm> {
  private(set) var blocks: [Form.Block]
  private(set) var form: Form
  private(set) var isOutOfRange = false
  /// The AC coefficients of all blocks so far, and free space.
  private var room: [Form.Unit]
  private var used = 0
  private let maxRun: Int

  /// Creates a store of `count` blocks, of which at most `maxRun` are put at once.
  init(_ form: Form, count: Int, expectedUnits: Int, maxRun: Int) {
    self.form = form
    self.maxRun = maxRun * Form.maxUnits
    blocks = [Form.Block](repeating: Form.empty, count: count)
    room = Self.room(expectedUnits + self.maxRun)
  }

  private static func room(_ count: Int) -> [Form.Unit] {
    // Units are integers, and none is read before it is written.
    unsafe [Form.Unit](unsafeUninitializedCapacity: count) { $1 = count }
  }

  /// Joins the blocks of stores, which give them up, and appends `rest` units of zero.
  static func joined(
    _ stores: [BlockStore],
    rest: Int = 0
  ) -> (blocks: [Form.Block], units: [Form.Unit]) {
    var (blocks, units) = stores[0].taken()
    for store in stores.dropFirst() {
      let start = units.count
      let (others, room) = store.taken()
      blocks += others.lazy.map { $0.moved(by: start) }
      units += room
    }
    units += repeatElement(0, count: rest)
    return (blocks, units)
  }

  private func taken() -> (blocks: [Form.Block], units: [Form.Unit]) {
    var (blocks, units) = ([Form.Block](), [Form.Unit]())
    swap(&blocks, &self.blocks)
    swap(&units, &room)
    units.removeLast(units.count - used)
    return (blocks, units)
  }

  @inline(__always)
  func takeRun(_ give: (inout BlockRun<Form>) -> Bool) -> Bool {
    if room.count - used < maxRun {
      var larger = Self.room(room.count + room.count / 2 + maxRun)
      larger.replaceSubrange(0..<used, with: room[..<used])
      room = larger
    }
    return unsafe blocks.withUnsafeMutableBufferPointer { [used] blocks in
      unsafe room.withUnsafeMutableBufferPointer { room in
        guard let start = room.baseAddress else { return false }
        var run = unsafe BlockRun(form, start: start, used, of: room.count, blocks: blocks)
        let result = give(&run)
        form = run.form
        if run.isOutOfRange { isOutOfRange = true }
        self.used = run.used
        return result
      }
    }
  }
}

/// Blocks that are decoded one after the other.
///
/// It is copied into a local variable for each run, which stays in registers.
@safe
struct BlockRun<Form: BlockForm> {
  private(set) var form: Form
  private(set) var isOutOfRange = false
  private var end: UnsafeMutablePointer<Form.Unit>
  private let start: UnsafeMutablePointer<Form.Unit>
  /// The last address at which there is room for the units of a block.
  private let lastPlace: UnsafeMutablePointer<Form.Unit>
  private let blocks: UnsafeMutableBufferPointer<Form.Block>

  @unsafe @inline(__always)
  init(
    _ form: Form,
    start: UnsafeMutablePointer<Form.Unit>,
    _ used: Int,
    of capacity: Int,
    blocks: UnsafeMutableBufferPointer<Form.Block>
  ) {
    self.form = form
    unsafe self.start = start
    unsafe end = start + used
    unsafe lastPlace = start + (capacity - Form.maxUnits)
    unsafe self.blocks = blocks
  }

  var used: Int { unsafe end - start }

  @inline(never)
  mutating func put(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    component: Int,
    at place: Int
  ) {
    precondition(unsafe place >= 0 && place < blocks.count, "the image has the block")
    precondition(unsafe end <= lastPlace, "the run has room for the block")
    if block.shape.isOutOfRange { isOutOfRange = true }
    unsafe blocks[place] = form.put(block, component: component, start: used, &end)
  }

  /// Stores the next block without decoding it; false if that is impossible, and nothing was read.
  @inline(__always)
  mutating func copy(
    _ tables: BlockTables,
    _ reader: inout BitReader,
    _ prediction: inout Int,
    component: Int,
    at place: Int
  ) -> Bool {
    precondition(unsafe place >= 0 && place < blocks.count, "the image has the block")
    precondition(unsafe end <= lastPlace, "the run has room for the block")
    guard
      let block = unsafe form.copy(
        tables,
        &reader,
        &prediction,
        component: component,
        start: used,
        &end
      )
    else { return false }
    unsafe blocks[place] = block
    return true
  }

  /// Checks the range of a block that is not requested: damage outside of the window is reported, too.
  @inline(__always)
  mutating func passOver(_ block: borrowing some CoefficientBlock & ~Copyable) {
    if block.shape.isOutOfRange { isOutOfRange = true }
  }
}
