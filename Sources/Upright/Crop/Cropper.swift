public import ImageOrientation

/// Crops JPEG files, and makes them upright on the way: from bytes to bytes, without a file system.
///
/// The rectangle is given in the image as the viewer sees it, in pixels. Crop and transform happen in one pass in
/// the DCT domain. Without a redraw every coefficient within the result is that of the original; so the edges
/// that come to lie at the left and the top must be those of blocks, and the rectangle grows or shrinks to
/// them. ``Plan/crop`` says what it became.
///
/// What belongs to the image follows: dimensions, regions, thumbnail, gain maps. What was cut away is gone,
/// so that there is no ``Rewrite/undo``. A rectangle of the whole image gives what ``Normalizer`` gives.
///
/// ```swift
/// let cropper = Cropper()
/// let square = PixelRectangle(x: 500, y: 0, width: 3024, height: 3024)
/// if case .rewritten(let result) = try cropper.crop(photo, to: square) {
///   store(result.bytes)
/// }
/// ```
public struct Cropper: Sendable {
  /// What is done where there is a choice; regions follow whatever they say.
  public var options: Options

  /// Makes a cropper.
  public init(options: Options = Options()) { self.options = options }

  /// Plans for a file.
  ///
  /// - Parameters:
  ///   - file: The whole file, of which the header is read.
  ///   - rectangle: What to keep, in the upright image.
  ///   - snap: What happens to a rectangle that does not begin where a block does.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, of code `outside-image` when the image does not hold the rectangle.
  public func plan(
    _ file: [UInt8],
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Plan {
    try normalizer(rectangle, snap).plan(file)
  }

  /// Plans from the beginning of a file.
  ///
  /// - Parameters:
  ///   - beginning: The file, or enough of its beginning to hold everything before the first scan.
  ///   - rectangle: What to keep, in the upright image.
  ///   - snap: What happens to a rectangle that does not begin where a block does.
  /// - Returns: The plan, or nil when the header is longer than `beginning`.
  /// - Throws: ``UprightError``, of code `outside-image` when the image does not hold the rectangle.
  public func plan(
    beginning: [UInt8],
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Plan? {
    try normalizer(rectangle, snap).plan(beginning: beginning)
  }

  /// Crops a file.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - rectangle: What to keep, in the upright image.
  ///   - snap: What happens to a rectangle that does not begin where a block does.
  /// - Returns: The new file with the list of its changes, or why there is none.
  /// - Throws: ``UprightError``; the file is damaged, or no JPEG file, or does not hold the rectangle.
  public func crop(
    _ file: [UInt8],
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Outcome {
    try normalizer(rectangle, snap).normalize(file)
  }

  /// The normalizer that crops, for programs that deal with either.
  package func normalizer(_ rectangle: PixelRectangle, _ snap: Crop.Snap) -> Normalizer {
    var normalizer = Normalizer(options: options)
    normalizer.crop = CropRequest(rectangle: rectangle, snap: snap)
    return normalizer
  }
}
