internal import CTurboJPEG
internal import ImageOrientation
internal import JPEGCore

/// Receives rows of blocks from the library's filter, and tells where the turn takes them.
final class BlockCollector {
  let frame: Frame
  /// What the library takes the frame for, if not for what it is.
  let alias: SamplingAlias?

  private let placement: BlockPlacement
  private let sink: any BlockSink
  /// Blocks per row and block rows of the components, as the library must deliver them.
  private let source: [(columns: Int, rows: Int)]
  /// Blocks still to come.
  private var remaining: Int
  /// Whether a block that is not wanted has a coefficient that is too large: damage is damage there, too.
  private var isDamagedElsewhere = false

  init(_ frame: Frame, _ placement: BlockPlacement, _ sink: any BlockSink) {
    self.frame = frame
    self.placement = placement
    self.sink = sink
    alias = SamplingAlias(frame)
    let shown = alias?.frame ?? frame
    source = shown.components.indices.map(shown.blocks(of:))
    remaining = placement.count
  }

  var isOutOfRange: Bool { sink.isOutOfRange || isDamagedElsewhere }

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
    if let alias {
      for column in 0..<source[component].columns {
        let real = alias.place(component, column: column, row: rowIndex)
        guard let place = placement.place(component, column: real.column, row: real.row) else {
          unsafe passOver(coefficients + column * 64, count: 1)
          continue
        }
        unsafe sink.put(
          coefficients + column * 64,
          count: 1,
          component: component,
          at: place,
          step: 0
        )
        remaining -= 1
      }
      return !isOutOfRange
    }
    let (columns, _) = placement.wanted(component)
    if let target = placement.place(component, column: columns.lowerBound, row: rowIndex) {
      unsafe sink.put(
        coefficients + columns.lowerBound * 64,
        count: columns.count,
        component: component,
        at: target,
        step: placement.step(component)
      )
      remaining -= columns.count
      unsafe passOver(coefficients, count: columns.lowerBound)
      unsafe passOver(
        coefficients + columns.upperBound * 64,
        count: source[component].columns - columns.upperBound
      )
    } else {
      unsafe passOver(coefficients, count: source[component].columns)
    }
    return !isOutOfRange
  }

  /// Looks at blocks that are not wanted.
  private func passOver(_ blocks: UnsafePointer<Int16>, count: Int) {
    var largest: Int32 = 0
    for index in 0..<count &* 64 { unsafe largest = max(largest, abs(Int32(blocks[index]))) }
    if largest >= Int32(TurnedBlock.tooLarge) { isDamagedElsewhere = true }
  }
}
