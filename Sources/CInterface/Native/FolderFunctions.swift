// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

internal import CUpright

// The functions of upright.h that process the photos of a folder.

@c @implementation
public func upright_normalize_folder(
  _ folder: UnsafePointer<CChar>?,
  _ record: UnsafePointer<CChar>?,
  _ jobs: CInt,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(folder, record: record, options, cancellation)
  return unsafe handle(FolderResults(call, jobs: Int(jobs), .normalize))
}

@c @implementation
public func upright_plan_folder(
  _ folder: UnsafePointer<CChar>?,
  _ jobs: CInt,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(folder, options, cancellation)
  return unsafe handle(FolderResults(call, jobs: Int(jobs), .plan))
}

@c @implementation
public func upright_restore_folder(
  _ folder: UnsafePointer<CChar>?,
  _ record: UnsafePointer<CChar>?,
  _ jobs: CInt,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?,
  _ cancellation: OpaquePointer?
) -> OpaquePointer? {
  let call = unsafe FileCall(folder, record: record, options, cancellation)
  return unsafe handle(FolderResults(call, jobs: Int(jobs), .restore))
}

@c @implementation
public func upright_results_next(_ results: OpaquePointer?) -> OpaquePointer? {
  guard let results: FolderResults = unsafe object(results), let next = results.next()
  else { return nil }
  return unsafe handle(next)
}

@c @implementation
public func upright_results_error(_ results: OpaquePointer?) -> OpaquePointer? {
  guard let results: FolderResults = unsafe object(results), let error = results.error
  else { return nil }
  // It belongs to the results.
  return unsafe OpaquePointer(Unmanaged.passUnretained(error).toOpaque())
}

@c @implementation
public func upright_results_free(_ results: OpaquePointer?) {
  (unsafe object(results) as FolderResults?)?.end()
  unsafe release(results, FolderResults.self)
}
