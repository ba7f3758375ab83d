package import ImageOrientation
internal import JPEGCore

/// A decoded image of eight bits a sample, with luminance and chroma as JFIF has them: the matrix of BT.601 in
/// full range.
package struct PixelImage: Hashable, Sendable {
  /// How chroma is sampled.
  package enum Sampling: String, CaseIterable, Hashable, Sendable {
    case grayscale
    case full = "4:4:4"
    case halvedWidth = "4:2:2"
    case halved = "4:2:0"

    /// By how much chroma is coarser along each axis.
    package var divisor: (x: Int, y: Int) {
      switch self {
      case .grayscale, .full: (1, 1)
      case .halvedWidth: (2, 1)
      case .halved: (2, 2)
      }
    }

    /// How many planes there are.
    package var planeCount: Int { self == .grayscale ? 1 : 3 }
  }

  /// Width and height in pixels.
  package var size: PixelSize
  package var sampling: Sampling
  /// Luminance, blue and red chroma; the rows of each follow each other without gaps.
  package var planes: [[UInt8]]

  package init(size: PixelSize, sampling: Sampling, planes: [[UInt8]]) {
    self.size = size
    self.sampling = sampling
    self.planes = planes
  }

  /// The size of plane `index`, 0 being luminance; that of chroma is rounded up.
  package func planeSize(_ index: Int) -> PixelSize {
    guard index > 0 else { return size }
    let divisor = sampling.divisor
    return PixelSize(
      width: size.width.dividedUp(by: divisor.x),
      height: size.height.dividedUp(by: divisor.y)
    )
  }

  /// Whether there are as many bytes as the size needs.
  package var isWhole: Bool {
    planes.count == sampling.planeCount
      && planes.indices.allSatisfy {
        planes[$0].count == planeSize($0).width * planeSize($0).height
      }
  }
}
