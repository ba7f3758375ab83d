internal import CMemory

extension Span where Element: BitwiseCopyable {
  @inline(__always)
  func prefetch(at offset: Int) {
    guard offset >= 0, offset < count else { return }
    unsafe withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      unsafe CMemory.prefetch(first + offset)
    }
  }
}
