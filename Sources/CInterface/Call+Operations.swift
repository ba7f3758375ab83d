internal import ImageOrientation
internal import Reports
internal import Upright
internal import Verification

extension Call {
  /// Transforms the displayed image.
  ///
  /// - Returns: The handle of the result.
  func transforming(
    _ transform: () throws(UprightError) -> OrientationTransform
  ) -> OpaquePointer? {
    unsafe onFile(.transform) { (file, call) throws(UprightError) in
      try call.result(.transform(try transform(), tagOnly: call.tagOnly), file)
    }
  }

  /// Compares the file with a result.
  ///
  /// - Returns: The handle of the result.
  func comparing(_ result: UnsafePointer<UInt8>?, _ size: Int) -> OpaquePointer? {
    unsafe onFile(.verify) { (original, call) throws(UprightError) in
      try call.options.checkFile(size)
      let result = unsafe [UInt8](copying: result, size)
      var verifier = Verifier(then: call.transform)
      verifier.maxPixels = call.options.maxPixels
      verifier.requiresLossless = call.lossless
      verifier.acceptsRegisteredData = call.options.registeredData == .keep
      return CallResult(try verifier.verify(original: original, result: result), call)
    } failing: {
      CallResult(comparing: $0, $1)
    }
  }
}

extension CallOptions {
  /// Does what is requested with a file, or plans it in a dry run.
  func result(_ request: Request, _ file: [UInt8]) throws(UprightError) -> CallResult {
    let rewriter = Rewriter(request, options: options)
    return dryRun
      ? CallResult(try rewriter.plan(file), path: path)
      : CallResult(try rewriter.rewrite(file), path: path)
  }
}
