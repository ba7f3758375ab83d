internal import JPEGCore
internal import Upright

/// The arguments of a C function that processes a file.
@unsafe struct Call {
  private let data: UnsafePointer<UInt8>?
  private let size: Int
  private let words: UnsafePointer<UnsafePointer<CChar>?>?
  private let cancellation: WorkLimit.Cancellation?

  init(
    _ data: UnsafePointer<UInt8>?,
    _ size: Int,
    _ words: UnsafePointer<UnsafePointer<CChar>?>?,
    _ cancellation: OpaquePointer?
  ) {
    unsafe self.data = data
    unsafe self.size = data == nil ? 0 : size
    unsafe self.words = words
    unsafe self.cancellation = object(cancellation)
  }

  /// Processes the whole file.
  ///
  /// - Parameters:
  ///   - function: The function, which determines the valid options.
  ///   - work: The work.
  ///   - failing: Creates the result of an error; the options are nil if they are invalid.
  /// - Returns: The handle of the result.
  func onFile(
    _ function: Setting.Takers,
    _ work: ([UInt8], CallOptions) throws(UprightError) -> CallResult,
    failing: (UprightError, CallOptions?) -> CallResult = { CallResult($0, $1) }
  ) -> OpaquePointer? {
    unsafe run(function, failing) { (call) throws(UprightError) in
      try call.options.checkFile(unsafe size)
      return try work(unsafe [UInt8](copying: data, size), call)
    }
  }

  /// Processes the header, without copying the whole file.
  ///
  /// - Parameter work: The work, given the size of the file and a function that reads it.
  /// - Returns: The handle of its result.
  func onHeader(
    _ work: (
      CallOptions, _ size: Int,
      _ read: PhotoReader<Never>.Read
    ) throws(ReadingError<Never>) -> CallResult
  ) -> OpaquePointer? {
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
      guard offset >= 0, count > 0, unsafe offset < size, let data = unsafe data else { return [] }
      return unsafe [UInt8](copying: data + offset, min(count, size - offset))
    }
    return unsafe run(.normalize, { CallResult($0, $1) }) { (call) throws(UprightError) in
      try Options.checkAddressable(unsafe size)
      do throws(ReadingError<Never>) {
        return try work(call, unsafe size, read)
      } catch {
        switch error {
        case .content(let error): throw error
        }
      }
    }
  }

  /// Runs the work within the limits of the call.
  private func run(
    _ function: Setting.Takers,
    _ failing: (UprightError, CallOptions?) -> CallResult,
    _ work: (CallOptions) throws(UprightError) -> CallResult
  ) -> OpaquePointer? {
    var call: CallOptions?
    do throws(UprightError) {
      let options = try CallOptions(unsafe [String](copying: words), for: function)
      call = options
      let result = try unsafe options.options.limited(by: cancellation) {
        () throws(UprightError) in
        try work(options)
      }
      return unsafe handle(result)
    } catch {
      return unsafe handle(failing(error, call))
    }
  }
}

extension Options {
  /// Throws if a file or undo data has more bytes than Swift can count: a `size_t` of a caller who passed -1.
  static func checkAddressable(_ size: Int) throws(UprightError) {
    guard size >= 0 else {
      throw UprightError(
        .limit,
        "a size of \(UInt(bitPattern: size)) bytes is impossible; the maximum is \(Int.max)"
      )
    }
  }

  /// Throws if a file cannot be so large, or has more bytes than ``Options/maxBytes``.
  func checkFile(_ size: Int) throws(UprightError) {
    try Self.checkAddressable(size)
    try checkSize(size)
  }
}
