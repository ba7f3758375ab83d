/// Whole files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  check(file, options(file.suffix(64).reduce(0) { $0 &* 31 &+ Int($1) }))
  return 0
}
