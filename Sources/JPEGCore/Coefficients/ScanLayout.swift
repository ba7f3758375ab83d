/// The order of the blocks in a scan's data (T.81, A.2).
///
/// ```text
///   4:2:0, interleaved: MCU = Y₀₀ Y₀₁ Y₁₀ Y₁₁ Cb Cr        not interleaved: MCU = one block
///
///   Y of 3×3 blocks   | 00 01 | 02  · |     · padding: in the data, not in the image
///                     | 10 11 | 12  · |
///                     | 20 21 | 22  · |
///                     |  ·  · |  ·  · |
/// ```
struct ScanLayout: Sendable {
  struct Part {
    /// The number of the component in the scan, and in the frame.
    var number: Int
    var component: Int
    var plane: CoefficientImage.Plane
    /// Blocks of the component in one MCU: columns × rows.
    var unit: (columns: Int, rows: Int)
    var dcTable: Int
    var acTable: Int
  }

  /// The place of one block in every MCU.
  struct Place {
    var part: Int
    var column: Int
    var row: Int
  }

  /// The blocks at one place of the MCUs of a row.
  struct Row {
    /// The index of the first block in the image, and the increment from MCU to MCU.
    var first: Int
    var step: Int
    /// The number of blocks within the image; the following ones are padding.
    var count: Int
  }

  let parts: [Part]
  let places: [Place]
  let mcus: (columns: Int, rows: Int)
  /// MCUs between restart markers; 0 for none.
  let restartInterval: Int

  init(_ header: ScanHeader, _ frame: Frame, restartInterval: Int) {
    self.restartInterval = restartInterval
    let planes = CoefficientImage.planes(of: frame)
    let isInterleaved = header.components.count > 1
    parts = header.components.enumerated().map { number, component in
      let sampling = frame.components[component.index]
      return Part(
        number: number,
        component: component.index,
        plane: planes[component.index],
        unit: isInterleaved ? (sampling.horizontal, sampling.vertical) : (1, 1),
        dcTable: TableIndex.dc(component.dcTable),
        acTable: TableIndex.ac(component.acTable)
      )
    }
    places = parts.enumerated().flatMap { index, part in
      (0..<part.unit.rows).flatMap { row in
        (0..<part.unit.columns).map { Place(part: index, column: $0, row: row) }
      }
    }
    mcus =
      isInterleaved
      ? (
        frame.width.dividedUp(by: 8 * frame.maxHorizontal),
        frame.height.dividedUp(by: 8 * frame.maxVertical)
      )
      : (parts[0].plane.columns, parts[0].plane.rows)
  }

  func padding(_ place: Place, _ mcuColumn: Int, _ mcuRow: Int) -> PaddingBlock {
    let part = parts[place.part]
    return PaddingBlock(
      component: part.component,
      column: mcuColumn * part.unit.columns + place.column,
      row: mcuRow * part.unit.rows + place.row
    )
  }

  func rows(_ mcuRow: Int) -> [Row] {
    places.map { place in
      let part = parts[place.part]
      let row = mcuRow * part.unit.rows + place.row
      let columns = max(0, part.plane.columns - place.column).dividedUp(by: part.unit.columns)
      return Row(
        first: part.plane.firstBlock + row * part.plane.columns + place.column,
        step: part.unit.columns,
        count: row < part.plane.rows ? columns : 0
      )
    }
  }
}
