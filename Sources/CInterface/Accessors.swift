// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

internal import CUpright
internal import JPEGCore
internal import Reports

// The functions of upright.h that read and free handles, and cancel calls.

@c @implementation
public func upright_version() -> UnsafePointer<CChar>? { unsafe version.string }

private let version = CBytes(string: Version.current)

@c @implementation
public func upright_result_bytes(
  _ result: OpaquePointer?,
  _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UInt8>? {
  unsafe lend((object(result) as CallResult?)?.bytes, size)
}

@c @implementation
public func upright_result_undo(
  _ result: OpaquePointer?,
  _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UInt8>? {
  unsafe lend((object(result) as CallResult?)?.undo, size)
}

/// Returns the address of bytes, and stores their size.
@unsafe private func lend(
  _ bytes: CBytes?,
  _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UInt8>? {
  unsafe size?.pointee = bytes?.count ?? 0
  return unsafe bytes?.address
}

@c @implementation
public func upright_result_report(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.report.string
}

@c @implementation
public func upright_result_status(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.status.string
}

@c @implementation
public func upright_result_transform(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.transform?.string
}

@c @implementation
public func upright_result_format(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.format?.string
}

@c @implementation
public func upright_result_media_type(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.mediaType?.string
}

@c @implementation
public func upright_result_width(_ result: OpaquePointer?) -> Int64 {
  unsafe (object(result) as CallResult?)?.size.width ?? 0
}

@c @implementation
public func upright_result_height(_ result: OpaquePointer?) -> Int64 {
  unsafe (object(result) as CallResult?)?.size.height ?? 0
}

@c @implementation
public func upright_result_error_code(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.code?.string
}

@c @implementation
public func upright_result_error_message(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (object(result) as CallResult?)?.message?.string
}

@c @implementation
public func upright_result_error_offset(_ result: OpaquePointer?) -> Int64 {
  unsafe (object(result) as CallResult?)?.offset ?? -1
}

@c @implementation
public func upright_result_free(_ result: OpaquePointer?) {
  unsafe release(result, CallResult.self)
}

@c @implementation
public func upright_cancellation_create() -> OpaquePointer? {
  unsafe handle(WorkLimit.Cancellation())
}

@c @implementation
public func upright_cancellation_cancel(_ cancellation: OpaquePointer?) {
  unsafe (object(cancellation) as WorkLimit.Cancellation?)?.cancel()
}

@c @implementation
public func upright_cancellation_free(_ cancellation: OpaquePointer?) {
  unsafe release(cancellation, WorkLimit.Cancellation.self)
}
