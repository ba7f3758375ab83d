package import ImageOrientation
internal import JPEGCore

/// A decoded image of eight bits a sample, with the luma and chroma of JFIF: the matrix of BT.601 in full range.
package struct PixelImage: Hashable, Sendable {
  /// The chroma subsampling.
  package enum Sampling: String, CaseIterable, Hashable, Sendable {
    case grayscale
    case full = "4:4:4"
    case halvedWidth = "4:2:2"
    case halved = "4:2:0"

    /// The divisors of the chroma resolution.
    package var divisor: (x: Int, y: Int) {
      switch self {
      case .grayscale, .full: (1, 1)
      case .halvedWidth: (2, 1)
      case .halved: (2, 2)
      }
    }

    /// The number of planes.
    package var planeCount: Int { self == .grayscale ? 1 : 3 }
  }

  /// Width and height in pixels.
  package var size: PixelSize
  package var sampling: Sampling
  /// Luma, blue and red chroma; the rows of each without gaps.
  package var planes: [[UInt8]]

  package init(size: PixelSize, sampling: Sampling, planes: [[UInt8]]) {
    self.size = size
    self.sampling = sampling
    self.planes = planes
  }

  /// Returns the size of plane `index`; 0 is luma.
  ///
  /// Chroma sizes are rounded up.
  package func planeSize(_ index: Int) -> PixelSize {
    guard index > 0 else { return size }
    let divisor = sampling.divisor
    return PixelSize(
      width: size.width.dividedUp(by: divisor.x),
      height: size.height.dividedUp(by: divisor.y)
    )
  }

  /// Whether the planes have the right number of bytes.
  package var isWhole: Bool {
    planes.count == sampling.planeCount
      && planes.indices.allSatisfy {
        planes[$0].count == planeSize($0).width * planeSize($0).height
      }
  }
}
