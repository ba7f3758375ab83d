/// Width × height in pixels.
package struct Size: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension Frame {
  /// The picture's dimensions.
  package var size: Size { Size(width: width, height: height) }
}
