/// Chooses the quantization steps of re-encoded components.
///
/// Noise of the same variance at all frequencies takes the fewest bits. So the steps are the same everywhere, as far as
/// each stays a part of the original's, which keeps the exceptions few; those of chroma are smaller, for its noise shows
/// in more than one colour. They are as large as gives the displayed noise of a fraction of the original's steps,
/// counted where the original has coefficients. Components with the same table keep to one, so that the file needs no
/// more tables than before.
struct RedrawSteps {
  /// A component that is re-encoded.
  struct Component {
    /// The original's steps, in zigzag order.
    var table: [UInt16]
    /// For each zigzag position the number of coefficients that are not zero.
    var counts: [Int]
    /// What a unit of its noise adds to that of the displayed image, in hundredths.
    var weight: Int
    /// Its steps as a share of luma's, in tenths.
    var share: Int
  }

  /// Components with the same table.
  private struct Group {
    let table: [UInt16]
    /// For each zigzag position what one more unit of noise in each coefficient adds to that of the displayed image.
    var noise = [Int64](repeating: 0, count: 64)
    var share = 0
  }

  private let groups: [Group]
  /// The steps of each group.
  private var steps: [[UInt16]]
  /// The noise that is left to be added.
  private var noise: Int64 = 0

  /// - Parameters:
  ///   - components: The components that are re-encoded.
  ///   - divisor: Which part of the original's steps gives the noise.
  ///   - percentage: The share of that noise. More than 100 gives the same PSNR, for many coefficients become
  ///     zero and add less than their step's noise; the figures are from `tools/bench/redraw-survey`.
  ///   - cap: Which part of the original's steps none exceeds.
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
    // One more step after the other, from the finest detail on, as long as the noise allows.
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

  /// The steps of components that are re-encoded, in zigzag order.
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
  /// For each zigzag position the number of a component's coefficients that are not zero; of those of the mean, all.
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

extension RedrawSteps.Component {
  /// - Parameters:
  ///   - table: Its quantization table, in zigzag order.
  ///   - counts: For each zigzag position the number of coefficients that are not zero.
  ///   - color: What the components say of colours.
  ///   - frame: The frame.
  ///   - component: The component's index.
  init(
    table: [UInt16],
    counts: [Int],
    color: Distortion.Color,
    _ frame: Frame,
    _ component: Int
  ) {
    (self.table, self.counts) = (table, counts)
    // How often a sample shows, less what interpolation between samples takes away.
    let part = frame.components[component]
    func spread(_ factor: Int, _ maxFactor: Int) -> Int {
      factor == maxFactor ? 100 : 62 * maxFactor / factor
    }
    let spread =
      spread(part.horizontal, frame.maxHorizontal) * spread(part.vertical, frame.maxVertical) / 100
    let isChroma = color == .yCbCr && component > 0
    // The sum of the squared factors of red, green and blue (ITU-T T.871, 7).
    weight =
      spread * (color == .components ? 100 : component == 0 ? 300 : component == 1 ? 326 : 248)
      / 100
    share = isChroma ? 9 : 10
  }
}
