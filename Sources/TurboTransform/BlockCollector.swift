internal import CTurboJPEG
internal import ImageOrientation
internal import JPEGCore

/// Receives rows of blocks from the library's filter, and puts each block into its place.
@safe
final class BlockCollector {
  /// What the library takes the frame for, if not for what it is.
  let alias: SamplingAlias?
  /// The coefficients of all blocks so far.
  var values: [Int8] = []
  private(set) var isOutOfRange = false

  private let turn: Turn
  private let planes: [CoefficientImage.Plane]
  private let blocks: UnsafeMutableBufferPointer<SparseImage.Block>
  private let block: BlockTurn
  /// The values of one row of blocks, with room for the longest.
  private let row: UnsafeMutablePointer<Int8>
  /// Blocks per row and block rows of the components, as the library must deliver them.
  private let source: [(columns: Int, rows: Int)]
  /// The blocks that are wanted.
  private let wanted: [(columns: Range<Int>, rows: Range<Int>)]
  /// Blocks still to come.
  private var remaining: Int

  init(
    frame: Frame,
    window: PixelRectangle,
    turn: Turn,
    planes: [CoefficientImage.Plane],
    blocks: UnsafeMutableBufferPointer<SparseImage.Block>
  ) {
    self.turn = turn
    self.planes = planes
    unsafe self.blocks = blocks
    block = BlockTurn(turn)
    alias = SamplingAlias(frame)
    let shown = alias?.frame ?? frame
    source = shown.components.indices.map(shown.blocks(of:))
    wanted = frame.components.indices.map { frame.blocks(of: $0, in: window, for: turn) }
    remaining = wanted.reduce(0) { $0 + $1.columns.count * $1.rows.count }
    let longest = source.map(\.columns).max() ?? 0
    unsafe row = .allocate(capacity: longest * BlockTurn.mostBytes)
  }

  deinit { unsafe row.deallocate() }

  /// What is wrong with the picture, as far as its blocks tell.
  var failure: TransformError? {
    if isOutOfRange { return .damaged("a coefficient is out of range") }
    return remaining == 0 ? nil : .damaged("rows of blocks are missing")
  }

  /// Takes a row of blocks, each 64 coefficients row by row; false stops the library.
  ///
  /// A ``WorkLimit`` stops it, too: that looks like damage, until the one who set the limit asks for it.
  func collect(
    _ coefficients: UnsafeMutablePointer<Int16>,
    _ region: tjregion,
    _ plane: tjregion,
    _ component: Int
  ) -> Bool {
    guard WorkLimit.reached == nil else { return false }
    let rowIndex = Int(region.y) / 8
    // Rows of padding blocks below the picture come too.
    guard rowIndex < source[component].rows else { return true }
    guard Int(region.w) / 8 == source[component].columns,
      Int(plane.h) / 8 == source[component].rows
    else { return false }
    var end = unsafe row
    if let alias {
      for column in 0..<source[component].columns {
        let real = alias.place(component, column: column, row: rowIndex)
        let (columns, rows) = wanted[component]
        guard columns.contains(real.column), rows.contains(real.row) else { continue }
        let place = place(component, column: real.column, row: real.row)
        unsafe put(coefficients + column &* 64, at: place, &end)
        remaining -= 1
      }
    } else if wanted[component].rows.contains(rowIndex) {
      let columns = wanted[component].columns
      var target = place(component, column: columns.lowerBound, row: rowIndex)
      let step = place(component, column: columns.lowerBound + 1, row: rowIndex) - target
      for column in columns {
        unsafe put(coefficients + column &* 64, at: target, &end)
        target &+= step
      }
      remaining -= columns.count
    }
    unsafe values.append(contentsOf: UnsafeBufferPointer(start: row, count: end - row))
    return !isOutOfRange
  }

  /// The index of the turned block.
  private func place(_ component: Int, column: Int, row: Int) -> Int {
    let (columns, rows) = wanted[component]
    let place = turn.destination(
      column: column - columns.lowerBound,
      row: row - rows.lowerBound,
      columns: columns.count,
      rows: rows.count
    )
    return planes[component].firstBlock + place.row * planes[component].columns + place.column
  }

  @inline(__always)
  private func put(
    _ coefficients: UnsafePointer<Int16>,
    at index: Int,
    _ end: inout UnsafeMutablePointer<Int8>
  ) {
    let start = unsafe values.count &+ (end - row)
    let mask = unsafe block.mask(coefficients)
    let dc = unsafe coefficients[0]
    if abs(Int(dc)) >= BlockTurn.tooLarge { isOutOfRange = true }
    var isWide = false
    if unsafe !block.put(coefficients, mask, &end) {
      isWide = true
      if unsafe !block.putWide(coefficients, mask, &end) { isOutOfRange = true }
    }
    unsafe blocks[index] = SparseImage.Block(mask: mask, isWide: isWide, start: start, dc: dc)
  }
}
