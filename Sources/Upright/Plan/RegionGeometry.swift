internal import ImageOrientation
internal import JPEGCore

/// The mapping of regions from the stored to the transformed image.
///
/// Coordinates are continuous, in pixels or as fractions of width and height, with the origin at the top left.
struct RegionGeometry {
  let transform: OrientationTransform
  let old: PixelSize
  /// The part of the stored raster that is kept.
  let window: PixelRectangle
  /// Whether regions are clipped to the window.
  let clips: Bool

  var new: PixelSize { window.size.transformed(by: transform) }

  struct Region: Hashable {
    var x: Double
    var y: Double
    var width = 0.0
    var height = 0.0

    var left: Double { x - width / 2 }
    var top: Double { y - height / 2 }

    /// Returns the region in pixels of an image of this size, in whose width and height it is given.
    func pixels(of size: PixelSize) -> Region {
      let (right, bottom) = (Double(size.width), Double(size.height))
      return Region(x: x * right, y: y * bottom, width: width * right, height: height * bottom)
    }

    /// Returns the region in fractions of an image of this size, in whose pixels it is given.
    func shares(of size: PixelSize) -> Region {
      let (right, bottom) = (Double(size.width), Double(size.height))
      return Region(x: x / right, y: y / bottom, width: width / right, height: height / bottom)
    }

    /// Returns the region clipped to an image of this size; an empty region at the edge if it is outside.
    fileprivate func clipped(toWidth right: Double, height bottom: Double) -> Region {
      func clipped(_ centre: Double, _ extent: Double, _ end: Double) -> (Double, Double) {
        let from = min(max(centre - extent / 2, 0), end)
        let to = min(max(centre + extent / 2, 0), end)
        return ((from + to) / 2, to - from)
      }
      let (horizontal, vertical) = (clipped(x, width, right), clipped(y, height, bottom))
      return Region(x: horizontal.0, y: vertical.0, width: horizontal.1, height: vertical.1)
    }
  }

  /// Returns the mapped region, in pixels.
  func pixels(_ region: Region) -> Region {
    let (x, y) = (region.x - Double(window.x), region.y - Double(window.y))
    let (column, row) = transform.transposes ? (y, x) : (x, y)
    let size = transform.transposes ? (region.height, region.width) : (region.width, region.height)
    let new = (width: Double(new.width), height: Double(new.height))
    let transformed = Region(
      x: transform.mirrorsX ? new.width - column : column,
      y: transform.mirrorsY ? new.height - row : row,
      width: size.0,
      height: size.1
    )
    return clips ? transformed.clipped(toWidth: new.width, height: new.height) : transformed
  }

  /// Returns the mapped region, in fractions of width and height.
  func shares(_ region: Region) -> Region { pixels(region.pixels(of: old)).shares(of: new) }
}

extension RegionGeometry.Region {
  init(left: Double, top: Double, width: Double, height: Double) {
    self.init(x: left + width / 2, y: top + height / 2, width: width, height: height)
  }
}

extension RegionGeometry {
  init(of size: PixelSize, _ transform: OrientationTransform) {
    self.init(transform: transform, old: size, window: PixelRectangle(size), clips: false)
  }

  /// The mapping by a plan.
  init(_ plan: Plan, _ transform: OrientationTransform, _ edges: Edges) {
    let size = plan.image.size
    var kept = PixelRectangle(size)
    if let crop = plan.crop {
      let upright = size.transformed(by: transform)
      kept = transform.inverse.matrix(of: upright).applied(to: crop.result)
    } else if case .trimmed(let trimmed) = edges {
      (kept.width, kept.height) = (kept.width - trimmed.columns, kept.height - trimmed.rows)
    }
    self.init(
      transform: transform,
      old: size,
      window: kept,
      clips: plan.crop != nil && kept.size != size
    )
  }

  init(_ raster: RasterTransform) {
    self.init(
      transform: raster.transform,
      old: raster.frame.size,
      window: raster.window,
      clips: raster.isCropped
    )
  }
}
