import ImageOrientation
import Upright

/// Whole files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  let number = file.suffix(64).reduce(0) { $0 &* 31 &+ Int($1) }
  let transform = OrientationTransform.allCases[number >> 8 & 7]
  check(file, options(number), then: number & 128 == 0 ? .none : transform)
  check(file, tag: transform == .none ? .remove : number & 128 == 0 ? .transform(transform) : .set(.left))
  return 0
}
