import ImageOrientation
import Upright
import Verification

// The example in Upright.md.
func overview() -> ([UInt8]) throws(UprightError) -> [UInt8] {
  func upright(_ photo: [UInt8]) throws(UprightError) -> [UInt8] {
    switch try Rewriter().rewrite(photo) {
    case .rewritten(let result): result.bytes
    case .unchanged, .skipped: photo
    }
  }
  return upright
}

// The example in README.md.
func upright(_ photo: [UInt8]) throws(UprightError) -> [UInt8] {
  switch try Rewriter().rewrite(photo) {
  case .rewritten(let result):
    for change in result.changes { print(change.field, change.old, "→", change.new) }
    return result.bytes
  case .skipped(let reason, _):
    print(reason.explanation)
    return photo
  case .unchanged:
    return photo
  }
}

// The example in Verification.md.
func isProven(_ result: [UInt8], from photo: [UInt8]) throws -> Bool {
  try Verifier().verify(original: photo, result: result).isProven
}

let tag = Orientation(uiImageRawValue: 3)  // .right, Exif 6
let flipped = Orientation.left.flippedHorizontally  // .rightMirrored
let size = ImageSize(width: 4032, height: 3024)  // of the stored image
let face = ImageRectangle(x: 1000, y: 800, width: 300, height: 300)
let seen = Orientation.right.matrixFromStored(of: size).applied(to: face)

precondition(tag == .right && flipped == .rightMirrored)
precondition(seen == ImageRectangle(x: 1924, y: 1000, width: 300, height: 300))
for upright in [overview(), upright] {
  do throws(UprightError) {
    _ = try upright([0xFF, 0xD8])
    preconditionFailure("an image without a header was taken")
  } catch {
    precondition(error.cause == .file)
  }
}
precondition((try? isProven([0xFF, 0xD8], from: [0xFF, 0xD8])) == true)
print("FirstSteps: all well")
