/// The Exif patcher: the input is a TIFF block before an image.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let block = input(start, count)
  let file =
    [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + block) + plainImage
  check(file, options(block.last.map { Int($0) } ?? 0))
  return 0
}
