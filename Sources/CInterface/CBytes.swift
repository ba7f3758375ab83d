/// Bytes at an address that stays while the object lives.
///
/// An array may move, so what is lent to C is copied. Nobody writes to it after ``init(_:)``.
@safe final class CBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    unsafe buffer = .allocate(capacity: max(1, bytes.count))
    count = bytes.count
    _ = unsafe buffer.initialize(from: bytes)
  }

  deinit { unsafe buffer.deallocate() }

  let count: Int

  /// The address; never NULL.
  @unsafe var address: UnsafePointer<UInt8>? { unsafe UnsafePointer(buffer.baseAddress) }

  /// The same, as C has strings.
  @unsafe var string: UnsafePointer<CChar>? {
    unsafe UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
  }
}

extension [UInt8] {
  /// The bytes at an address; none at NULL.
  @unsafe init(copying start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.init(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

extension [String] {
  /// The strings of an array that NULL ends; none at NULL.
  ///
  /// What is no UTF-8 is replaced.
  @unsafe init(copying start: UnsafePointer<UnsafePointer<CChar>?>?) {
    self = []
    guard var next = unsafe start else { return }
    while let string = unsafe next.pointee {
      append(unsafe String(cString: string))
      unsafe next += 1
    }
  }
}

/// A handle for C that keeps an object alive until ``release(_:_:)``.
@unsafe func handle(_ object: some AnyObject) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object of a handle; nil of NULL.
@unsafe func object<Object: AnyObject>(_ handle: OpaquePointer?) -> Object? {
  guard let handle = unsafe handle else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Lets the object of a handle go.
@unsafe func release<Object: AnyObject>(_ handle: OpaquePointer?, _: Object.Type) {
  guard let handle = unsafe handle else { return }
  unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}
