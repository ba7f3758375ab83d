public import ImageOrientation

/// Crops JPEG files and normalizes their orientation.
///
/// It takes and returns bytes.
///
/// The rectangle is in pixels of the displayed image. Crop and transform are done in one pass in the DCT domain. A
/// lossless crop keeps every coefficient of the result; therefore its left and top edges must be MCU boundaries, and
/// the rectangle grows or shrinks to them. ``Plan/crop`` has the resulting rectangle.
///
/// Dimensions, regions, thumbnail and gain maps are cropped too. A crop has no ``Rewrite/undo``. A rectangle of the
/// whole image has the result of ``Normalizer``.
///
/// ```swift
/// let cropper = Cropper()
/// let square = PixelRectangle(x: 500, y: 0, width: 3024, height: 3024)
/// if case .rewritten(let result) = try cropper.crop(photo, to: square) {
///   store(result.bytes)
/// }
/// ```
public struct Cropper: Sendable {
  /// The policies and limits; regions are always transformed with the image.
  public var options: Options

  /// Creates a cropper.
  public init(options: Options = Options()) { self.options = options }

  /// Returns the plan for a file.
  ///
  /// - Parameters:
  ///   - file: The whole file; only its header is read.
  ///   - rectangle: The part to keep, in the upright image.
  ///   - snap: How a rectangle that is not aligned with MCUs is handled.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, of code `outside-image` if the rectangle is not within the image.
  public func plan(
    _ file: [UInt8],
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Plan {
    try rewriter(rectangle, snap).plan(file)
  }

  /// Returns the plan for a file, from its beginning.
  ///
  /// - Parameters:
  ///   - beginning: The file, or enough of its beginning to hold everything before the first scan.
  ///   - rectangle: The part to keep, in the upright image.
  ///   - snap: How a rectangle that is not aligned with MCUs is handled.
  /// - Returns: The plan, or nil if the header is longer than `beginning`.
  /// - Throws: ``UprightError``, of code `outside-image` if the rectangle is not within the image.
  public func plan(
    beginning: [UInt8],
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Plan? {
    try rewriter(rectangle, snap).plan(beginning: beginning)
  }

  /// Crops a file.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - rectangle: The part to keep, in the upright image.
  ///   - snap: How a rectangle that is not aligned with MCUs is handled.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or not a JPEG file, or the rectangle is not within the image.
  public func crop(
    _ file: [UInt8],
    to rectangle: PixelRectangle,
    snapping snap: Crop.Snap = .grow
  ) throws(UprightError) -> Outcome {
    try rewriter(rectangle, snap).rewrite(file)
  }

  private func rewriter(_ rectangle: PixelRectangle, _ snap: Crop.Snap) -> Rewriter {
    Rewriter(.crop(rectangle, snapping: snap), options: options)
  }
}
