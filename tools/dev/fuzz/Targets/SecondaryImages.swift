import FileBytes

/// Secondary images: the input is a multi-picture index and the bytes after the primary image.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let length = bytes.span.uint16(at: 0, .little) else { return 0 }
  let index = Array(bytes.dropFirst(2).prefix(Int(length)))
  let exif: [UInt8] =
    Array("Exif\0\0II*\0".utf8) + [
      8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
  let header = [0xFF, 0xD8] + segment(0xE1, exif) + segment(0xE2, Array("MPF\0".utf8) + index)
  check(header + plainImage + bytes.dropFirst(2 + Int(length)), options(count))
  return 0
}
