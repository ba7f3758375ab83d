internal import ImageOrientation
internal import Reports
internal import Upright

extension Call {
  /// Transforms what a viewer sees.
  ///
  /// - Parameter transform: How; nil where the caller asked for a transform that there is not.
  /// - Returns: The handle of the result.
  func transforming(_ transform: OrientationTransform?) -> OpaquePointer? {
    unsafe onFile(.transform) { (file, call) throws(UprightError) in
      guard let transform else {
        throw UprightError(.argument, "the angle is not 90, 180 or 270, or the axis is unknown")
      }
      let editor = TagEditor(.transform(transform), options: call.options)
      let normalizer = Normalizer(options: call.options, then: transform)
      guard call.dryRun else {
        let outcome = try call.tagOnly ? editor.edit(file) : normalizer.normalize(file)
        return CallResult(outcome, path: call.path)
      }
      return try CallResult(
        call,
        planned: call.tagOnly ? editor.plan(beginning: file) : normalizer.plan(beginning: file)
      )
    }
  }

  /// Compares the file with another one.
  ///
  /// - Parameters:
  ///   - result: The other file.
  ///   - size: How many bytes it has.
  /// - Returns: The handle of the result.
  func comparing(_ result: UnsafePointer<UInt8>?, _ size: Int) -> OpaquePointer? {
    var file: Verifier.File?
    return unsafe onFile(.verify) { (original, call) throws(UprightError) in
      try call.options.checkSize(size)
      let result = unsafe [UInt8](copying: result, size)
      var verifier = Verifier(then: call.transform)
      verifier.maxPixels = call.options.maxPixels
      verifier.requiresLossless = call.lossless
      do throws(Verifier.Unreadable) {
        var verdict = try verifier.verify(original: original, result: result)
        #if !hasFeature(Embedded)
        if original != result {
          TagComparison(original: original, result: result).add(to: &verdict)
        }
        #endif
        return CallResult(verdict, call)
      } catch {
        file = error.file
        throw error.error
      }
    } failing: {
      CallResult($0, in: file, $1)
    }
  }
}

extension CallResult {
  /// A plan from the header.
  ///
  /// - Throws: ``UprightError``, where the file ends before its header does.
  convenience init(_ call: CallOptions, planned plan: Plan?) throws(UprightError) {
    guard let plan else { throw UprightError(.truncated, "the file ends within its header") }
    self.init(plan, path: call.path)
  }
}
