/// Chooses the quantization steps of re-encoded components.
///
/// Noise of the same variance at all frequencies takes the fewest bits (reverse water-filling). The steps are
/// therefore the same at all frequencies, limited to a fraction of the original's, which keeps the exceptions few.
/// Chroma steps are smaller, because chroma noise affects several colors. The steps are as large as the allowed noise
/// permits: the displayed noise of a fraction of the original's steps, counted where the original has nonzero
/// coefficients. Components with the same table keep a common one, so the file needs no additional tables.
struct RedrawSteps {
  struct Component {
    /// The original's steps, in zigzag order.
    var table: [UInt16]
    /// For each zigzag position the number of nonzero coefficients.
    var counts: [Int]
    /// The displayed noise for each unit of the component's noise, in hundredths.
    var weight: Int
    /// The component's steps in relation to luma's, in tenths.
    var share: Int

    init(table: [UInt16], counts: [Int], color: Distortion.Color, _ frame: Frame, _ component: Int)
    {
      (self.table, self.counts) = (table, counts)
      // The number of pixels of a sample, reduced by the noise that interpolation averages out.
      func spread(_ factor: Int, _ maxFactor: Int) -> Int {
        factor == maxFactor ? 100 : 62 * maxFactor / factor
      }
      let part = frame.components[component]
      let spread =
        spread(part.horizontal, frame.maxHorizontal) * spread(part.vertical, frame.maxVertical)
        / 100
      // The sum of the squared factors of red, green and blue (ITU-T T.871, 7).
      let factors = color == .yCbCr ? [300, 326, 248][component] : 100
      weight = spread * factors / 100
      share = color == .yCbCr && component > 0 ? 9 : 10
    }
  }

  /// Components with the same table.
  private struct Group {
    let table: [UInt16]
    /// For each zigzag position the displayed noise for one unit of noise in each coefficient.
    var noise = [Int64](repeating: 0, count: 64)
    var share = 0
  }

  private let groups: [Group]
  private var steps: [[UInt16]]
  /// The noise that may still be added.
  private var noise: Int64 = 0

  /// Chooses the steps for the noise of the original's steps divided by `divisor`, times `percentage`.
  ///
  /// Each step is at most the original's divided by `cap`. More than 100 % gives the same PSNR, because many
  /// coefficients become zero and add less noise than their step; the values are from `tools/bench/redraw-survey`.
  private init(_ components: [Component], divisor: Int, percentage: Int, cap: Int) {
    var groups: [Group] = []
    for component in components {
      let index = groups.firstIndex { $0.table == component.table } ?? groups.count
      if index == groups.count { groups.append(Group(table: component.table)) }
      groups[index].share = max(groups[index].share, component.share)
      for (position, count) in component.counts.enumerated() {
        groups[index].noise[position] += Int64(count) * Int64(component.weight) / 100
      }
    }
    self.groups = groups
    steps = groups.map { _ in [UInt16](repeating: 1, count: 64) }
    for group in groups {
      for (step, unit) in zip(group.table, group.noise) {
        let fine = min(max((Int(step) + divisor / 2) / divisor, 1), 4096)
        noise += unit * (Int64(fine * fine) * Int64(percentage) - 100)
      }
    }
    let highest = groups.map {
      $0.table.map { min(max(Int($0) / cap, 1), 1024) }
    }
    // Increase steps by one in each round, the highest frequencies first, while the noise permits.
    let last = 10 * (highest.joined().max() ?? 1) * 10
    for level in stride(from: 10, through: last, by: 1) {
      for (number, group) in groups.enumerated() {
        let step = level * group.share / 100
        for index in (0..<64).reversed()
        where steps[number][index] < min(step, highest[number][index]) {
          let before = Int(steps[number][index])
          let more = group.noise[index] * Int64(2 * before + 1) * 100
          guard more <= noise else { return }
          noise -= more
          steps[number][index] += 1
        }
      }
    }
  }

  static func steps(_ components: [Component], _ quality: Redraw.Quality) -> [[UInt16]] {
    switch quality {
    case .max: components.map { _ in [UInt16](repeating: 1, count: 64) }
    case .own: components.map { $0.table }
    case .standard: RedrawSteps(components, divisor: 4, percentage: 140, cap: 2).steps(components)
    case .compact: RedrawSteps(components, divisor: 2, percentage: 185, cap: 1).steps(components)
    }
  }

  private func steps(_ components: [Component]) -> [[UInt16]] {
    components.map { component in
      groups.firstIndex { $0.table == component.table }.map { steps[$0] } ?? component.table
    }
  }
}

extension SparseImage {
  /// Returns for each zigzag position the number of a component's nonzero AC coefficients; at position 0 the number of
  /// blocks.
  func counts(_ component: Int) -> [Int] {
    let plane = planes[component]
    var result = [Int](repeating: 0, count: 64)
    result[0] = plane.columns * plane.rows
    let blocks = blocks.span
    for index in plane.firstBlock..<plane.firstBlock + result[0] {
      var left = blocks[index].mask
      while left != 0 {
        result[left.trailingZeroBitCount] += 1
        left &= left &- 1
      }
    }
    return result
  }
}
