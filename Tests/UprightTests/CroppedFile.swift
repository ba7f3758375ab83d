import Fixtures
import ImageOrientation
import JPEGCore
import Synchronization
import TurboTransform
import Upright

/// A cropped file, and what must be true of it.
struct CroppedFile {
  let original: ImageFile
  let result: ImageFile
  let rewrite: Rewrite
  let crop: Crop
  let transform: OrientationTransform

  struct NotCropped: Error, CustomStringConvertible { var description: String }

  /// Crops a file; nil if it is skipped or unchanged.
  init?(
    _ bytes: [UInt8],
    _ rectangle: PixelRectangle,
    _ snap: Crop.Snap = .grow,
    options: Options = Options()
  ) throws {
    let outcome = try Rewriter(.crop(rectangle, snapping: snap), options: options).rewrite(bytes)
    guard case .rewritten(let rewrite) = outcome else { return nil }
    guard let crop = rewrite.plan.crop, case .transform(let transform, _) = rewrite.plan.action
    else {
      throw NotCropped(description: "the plan has no crop: \(rewrite.plan.action)")
    }
    original = try ImageFile(bytes)
    result = try ImageFile(rewrite.bytes)
    self.rewrite = rewrite
    self.crop = crop
    self.transform = transform
  }

  /// The size of the upright image.
  var uprightSize: PixelSize { transform.size(of: original.frame.size) }

  /// What is wrong with the result of a lossless crop.
  func complaints() throws -> [String] {
    var complaints: [String] = []
    func require(_ condition: Bool, _ complaint: String) {
      if !condition { complaints.append("\(crop.requested) → \(crop.result): \(complaint)") }
    }
    require(
      (result.frame.width, result.frame.height) == (crop.result.width, crop.result.height),
      "the image is \(result.frame.width)×\(result.frame.height)"
    )
    let upright = PixelRectangle(uprightSize)
    require(upright.contains(crop.result), "it is outside of the image")
    var rebuilt = original.bytes
    for change in rewrite.changes.reversed() {
      rebuilt.replaceSubrange(change.range, with: change.replacement)
    }
    require(rebuilt == result.bytes, "bytes outside of the listed changes are different")
    require(
      Set(rewrite.plan.changes).isSubset(of: rewrite.changes),
      "a planned change is not among those that were made"
    )
    if case .unchanged = try Rewriter().rewrite(result.bytes).plan.action {
    } else {
      require(false, "the result is not upright")
    }
    if case .transform(_, .reencoded) = rewrite.plan.action { return complaints }
    let expected = try ImageFile(reference())
    let (ours, theirs) = (try result.coefficients(), try expected.coefficients())
    require(ours.planes == theirs.planes, "the blocks are not arranged as jpegtran's")
    require(ours.coefficients == theirs.coefficients, "a coefficient is not jpegtran's")
    require(result.quantization() == expected.quantization(), "the tables are not jpegtran's")
    return complaints
  }

  /// The images that jpegtran has transformed for other crops.
  private static let known = Mutex<[[UInt8]: [OrientationTransform: [UInt8]]]>([:])

  private static func transformed(
    _ bytes: [UInt8],
    _ transform: OrientationTransform
  ) throws -> [UInt8] {
    if let image = known.withLock({ $0[bytes]?[transform] }) { return image }
    let image = try Tool.jpegtran(bytes, ["-trim"] + Tool.jpegtranOptions(transform.rawValue))
    known.withLock { $0[bytes, default: [:]][transform] = image }
    return image
  }

  /// What jpegtran makes of the image: transformed first, without edges that are not aligned, then cropped.
  private func reference() throws -> [UInt8] {
    let transformed = try Self.transformed(original.bytes, transform)
    let size = try ImageFile(transformed).frame.size
    var rectangle = crop.result
    if transform.mirrorsX { rectangle.x -= uprightSize.width - size.width }
    if transform.mirrorsY { rectangle.y -= uprightSize.height - size.height }
    return try Tool.jpegtran(transformed, ["-crop", "\(rectangle)"])
  }
}

extension PixelRectangle {
  /// Rectangles of an image: in its corners, along its edges and anywhere.
  static func samples(
    width: Int,
    height: Int,
    count: Int,
    _ generator: inout SeededGenerator
  ) -> [PixelRectangle] {
    var result = [
      PixelRectangle(x: 0, y: 0, width: 1, height: 1),
      PixelRectangle(x: width - 1, y: height - 1, width: 1, height: 1),
      PixelRectangle(x: width / 2, y: 0, width: width - width / 2, height: height),
      PixelRectangle(x: 0, y: height / 3, width: width, height: height - height / 3),
      PixelRectangle(x: 0, y: 0, width: (width + 1) / 2, height: (height + 2) / 3),
    ]
    for _ in 0..<count {
      let (x, y) = (
        Int.random(in: 0..<width, using: &generator), Int.random(in: 0..<height, using: &generator)
      )
      result.append(
        PixelRectangle(
          x: x,
          y: y,
          width: Int.random(in: 1...width - x, using: &generator),
          height: Int.random(in: 1...height - y, using: &generator)
        )
      )
    }
    return result
  }
}
