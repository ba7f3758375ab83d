/// Stores the blocks of one component in a form.
final class ComponentStore<Form: BlockForm> {
  let blocks: BlockStore<Form>
  private let component: Int
  private let layout: BlockLayout
  private let order: BlockOrder

  /// Creates a store for a component of an image that is made from another one.
  init(
    _ form: Form,
    component: Int,
    _ layout: BlockLayout,
    columns: Int,
    of source: borrowing SparseImage
  ) {
    self.component = component
    self.layout = layout
    order = BlockOrder(layout)
    // Most images that are made have at most two coefficients for each of the source. The first component makes room
    // for all, so the others can be joined to it.
    let units = source.values.count + source.blocks.count
    let share = component == 0 ? units : units / max(source.blocks.count, 1) * layout.count
    blocks = BlockStore(form, count: layout.count, expectedUnits: share, maxRun: columns)
  }

  /// Stores a row of blocks of the original's grid.
  func put(_ blockRow: BlockRow, row: Int) {
    let first = layout.block(column: 0, row: row) - layout.firstBlock
    let step = layout.block(column: 1, row: row) - layout.firstBlock - first
    _ = blocks.takeRun { run in
      for column in 0..<blockRow.count {
        run.put(
          order.ordered(blockRow, column),
          component: component,
          at: first &+ column &* step
        )
      }
      return true
    }
  }
}
