/// Bytes at a fixed address during the lifetime of the object.
///
/// The storage of an array may move, so the bytes are copied. They are not changed after ``init(_:)``.
@safe final class CBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    unsafe buffer = .allocate(capacity: max(1, bytes.count))
    count = bytes.count
    _ = unsafe buffer.initialize(from: bytes)
  }

  /// Copies a text without its NUL characters, and ends it with one.
  convenience init(string: String) { self.init(Array(string.utf8.filter { $0 != 0 }) + [0]) }

  deinit { unsafe buffer.deallocate() }

  let count: Int

  /// The address; never NULL.
  @unsafe var address: UnsafePointer<UInt8>? { unsafe UnsafePointer(buffer.baseAddress) }

  /// The address as a C string.
  @unsafe var string: UnsafePointer<CChar>? {
    unsafe UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
  }
}

extension [UInt8] {
  /// Copies bytes from an address; none from NULL.
  @unsafe init(copying start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.init(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

extension [String] {
  /// Copies the strings of a NULL-terminated array; none from NULL.
  ///
  /// Invalid UTF-8 is replaced.
  @unsafe init(copying start: UnsafePointer<UnsafePointer<CChar>?>?) {
    self = []
    guard var next = unsafe start else { return }
    while let string = unsafe next.pointee {
      append(unsafe String(cString: string))
      unsafe next += 1
    }
  }
}

/// Returns a handle for C that retains an object until ``release(_:_:)``.
@unsafe func handle(_ object: some AnyObject) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// Returns the object of a handle, or nil for NULL.
@unsafe func object<Object: AnyObject>(_ handle: OpaquePointer?) -> Object? {
  guard let handle = unsafe handle else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Releases the object of a handle.
@unsafe func release<Object: AnyObject>(_ handle: OpaquePointer?, _: Object.Type) {
  guard let handle = unsafe handle else { return }
  unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}
