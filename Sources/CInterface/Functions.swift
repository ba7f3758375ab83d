// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CUpright
internal import ImageFormats
internal import ImageOrientation
internal import Reports
internal import Upright

// The functions of upright.h that process files. The header documents them; the compiler checks their types.

@c @implementation
public func upright_normalize(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).onFile(.normalize) {
    (file, call) throws(UprightError) in
    CallResult(try Rewriter(options: call.options).rewrite(file), path: call.path)
  }
}

@c @implementation
public func upright_plan(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).onHeader {
    (call, size, read) throws(ReadingError<Never>) in
    let rewriter = Rewriter(options: call.options)
    let planned = try rewriter.planned(size: size, taking: rewriter.request.formats, reading: read)
    return CallResult(planned.plan, path: call.path)
  }
}

@c @implementation
public func upright_audit(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).onHeader {
    (call, size, read) throws(ReadingError<Never>) in
    let audit = try Rewriter(options: call.options)
      .audit(size: size, detail: .everything, of: Set(ImageFormat.allCases), reading: read)
    return CallResult(audit.plan, facts: audit.facts, path: call.path)
  }
}

@c @implementation
public func upright_rotate(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ degrees: CInt,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).transforming { () throws(UprightError) in
    try OrientationTransform(rotating: degrees)
  }
}

@c @implementation
public func upright_flip(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ axis: upright_axis,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).transforming { () throws(UprightError) in
    try OrientationTransform(flipping: axis)
  }
}

@c @implementation
public func upright_crop(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ rectangle: upright_rectangle,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).onFile(.crop) {
    (file, call) throws(UprightError) in
    try call.result(.crop(try PixelRectangle(rectangle), snapping: call.snap), file)
  }
}

@c @implementation
public func upright_verify(
  _ original: UnsafePointer<UInt8>?,
  _ originalSize: Int,
  _ result: UnsafePointer<UInt8>?,
  _ resultSize: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(original, originalSize, options, cancellation).comparing(result, resultSize)
}

@c @implementation
public func upright_undo(
  _ data: UnsafePointer<UInt8>?,
  _ size: Int,
  _ undo: UnsafePointer<UInt8>?,
  _ undoSize: Int,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  unsafe Call(data, size, options, cancellation).onFile(.undo) {
    (file, call) throws(UprightError) in
    try Options.checkAddressable(undoSize)
    let limit = UndoRecord.maxBytes(forResultOf: file.count)
    guard undoSize <= limit else {
      throw UprightError(
        .limit,
        "the undo data has \(undoSize) bytes, more than \(limit), the maximum for this file"
      )
    }
    let undo = try UndoRecord(serialized: unsafe [UInt8](copying: undo, undoSize))
    let original = try undo.restoreOriginal(from: file, maxPixels: call.options.maxPixels)
    return CallResult(restored: original, path: call.path)
  }
}
