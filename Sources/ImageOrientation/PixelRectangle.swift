/// Width × height in pixels.
public typealias PixelSize = ImageSize<Int>

/// A rectangle of whole pixels, the origin at the top left.
public typealias PixelRectangle = ImageRectangle<Int>

extension ImageRectangle where Scalar == Int {
  /// The number of pixels to the left of it.
  public var x: Int {
    get { origin.x }
    set { origin.x = newValue }
  }

  /// The number of pixels above it.
  public var y: Int {
    get { origin.y }
    set { origin.y = newValue }
  }

  /// Its width in pixels.
  public var width: Int {
    get { size.width }
    set { size.width = newValue }
  }

  /// Its height in pixels.
  public var height: Int {
    get { size.height }
    set { size.height = newValue }
  }

  /// The first column to the right of it.
  public var right: Int { x + width }

  /// The first row below it.
  public var bottom: Int { y + height }

  /// Returns whether `other` is within it.
  public func contains(_ other: PixelRectangle) -> Bool {
    other.x >= x && other.y >= y && other.width <= width && other.height <= height
      && other.x - x <= width - other.width && other.y - y <= height - other.height
  }

  /// Returns the rectangle in the transformed image that shows the same part.
  ///
  /// - Parameters:
  ///   - transform: The transform of the image.
  ///   - width: The image's width before.
  ///   - height: The image's height before.
  /// - Returns: The rectangle in the transformed image.
  public func transformed(
    by transform: OrientationTransform,
    width: Int,
    height: Int
  ) -> PixelRectangle {
    transform.matrix(of: ImageSize(width: width, height: height)).applied(to: self)
  }
}

extension ImageRectangle: CustomStringConvertible where Scalar == Int {
  /// The rectangle as `WIDTHxHEIGHT+X+Y`, in pixels.
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}

extension ImageRectangle: LosslessStringConvertible where Scalar == Int {
  /// Creates a rectangle from `WIDTHxHEIGHT+X+Y`; nil if the text has another form or the rectangle is empty.
  public init?(_ description: String) {
    let (separators, digits) = (Array("x++".utf8), UInt8(ascii: "0")...UInt8(ascii: "9"))
    var numbers = [0]
    var isEmpty = true
    for byte in description.utf8 {
      if digits.contains(byte), numbers[numbers.count - 1] < 100_000_000 {
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - digits.lowerBound)
        isEmpty = false
      } else if !isEmpty, numbers.count <= separators.count, byte == separators[numbers.count - 1] {
        numbers.append(0)
        isEmpty = true
      } else {
        return nil
      }
    }
    guard numbers.count == 4, !isEmpty, numbers[0] > 0, numbers[1] > 0 else { return nil }
    self.init(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
  }
}
