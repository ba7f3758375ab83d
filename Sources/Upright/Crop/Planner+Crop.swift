internal import ImageOrientation
internal import JPEGCore

/// Where a rectangle of the upright picture lies in the stored one, and what it becomes there.
extension Planner {
  /// The part of the stored picture that is asked for, moved to where blocks begin unless it is exact.
  ///
  /// - Throws: ``UprightError`` of code `outside-picture` or `empty-crop`.
  func window(_ frame: Frame, _ turn: Turn) throws(UprightError) -> PixelRectangle {
    guard let crop else { return frame.bounds }
    let size = turn.size(width: frame.width, height: frame.height)
    let upright = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    guard crop.rectangle.width > 0, crop.rectangle.height > 0, upright.contains(crop.rectangle)
    else {
      throw UprightError(
        .outsidePicture,
        "the rectangle \(crop.rectangle) does not lie within the picture,"
          + " which is \(size.width)×\(size.height) pixels when upright"
      )
    }
    let stored = crop.rectangle.turned(by: turn.inverse, width: size.width, height: size.height)
    if stored == frame.bounds { return stored }
    let window =
      switch crop.snap {
      case .grow: frame.snapped(stored, for: turn, .grow)
      case .shrink: frame.snapped(stored, for: turn, .shrink)
      case .exact: stored
      }
    guard window.width > 0, window.height > 0 else {
      let mcu = turn.size(width: frame.interleavedMCU.width, height: frame.interleavedMCU.height)
      throw UprightError(
        .emptyCrop,
        "nothing is left of the rectangle \(crop.rectangle) when it shrinks to blocks of"
          + " \(mcu.width)×\(mcu.height) pixels"
      )
    }
    return window
  }

  /// What a crop became, for people; nil where none was asked for.
  func crop(_ picture: PictureTurn) -> Crop? {
    guard let crop else { return nil }
    return Crop(
      requested: crop.rectangle,
      result: picture.window.turned(
        by: picture.turn,
        width: picture.frame.width,
        height: picture.frame.height
      )
    )
  }
}
