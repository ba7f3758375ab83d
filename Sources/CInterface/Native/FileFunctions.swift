// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CUpright
internal import Upright

// The functions of upright.h that process a photo on disk.

@c @implementation
public func upright_normalize_file(
  _ path: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?,
  _ record: UnsafePointer<CChar>?,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(path, to: output, record: record, options, cancellation)
  return unsafe handle(call.rewriting(.normalize) { (_) throws(UprightError) in .normalize() })
}

@c @implementation
public func upright_plan_file(
  _ path: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(path, to: output, options, cancellation)
  return unsafe handle(
    call.rewriting(.normalize, isDry: true) { (_) throws(UprightError) in .normalize() }
  )
}

@c @implementation
public func upright_rotate_file(
  _ path: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?,
  _ record: UnsafePointer<CChar>?,
  _ degrees: CInt,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(path, to: output, record: record, options, cancellation)
  return unsafe handle(
    call.rewriting(.transform) { (options) throws(UprightError) in
      .transform(try .init(rotating: degrees), tagOnly: options.tagOnly)
    }
  )
}

@c @implementation
public func upright_flip_file(
  _ path: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?,
  _ record: UnsafePointer<CChar>?,
  _ axis: upright_axis,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(path, to: output, record: record, options, cancellation)
  return unsafe handle(
    call.rewriting(.transform) { (options) throws(UprightError) in
      .transform(try .init(flipping: axis), tagOnly: options.tagOnly)
    }
  )
}

@c @implementation
public func upright_crop_file(
  _ path: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?,
  _ rectangle: upright_rectangle,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(path, to: output, options, cancellation)
  return unsafe handle(
    call.rewriting(.crop) { (options) throws(UprightError) in
      .crop(try .init(rectangle), snapping: options.snap)
    }
  )
}

@c @implementation
public func upright_restore_file(
  _ path: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?,
  _ record: UnsafePointer<CChar>?,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(path, to: output, record: record, options, cancellation)
  return unsafe handle(call.restoring())
}
