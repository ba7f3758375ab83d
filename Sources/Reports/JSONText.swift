public import Upright

extension JSONReport {
  /// The object on one line, without a line end: keys sorted, slashes not escaped.
  public var json: String { jsonLine }
}

extension JSONVerification {
  /// Creates the report of a pair in which one file cannot be read.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - result: The result.
  ///   - failure: The file that cannot be read, and the error.
  public init(original: String, result: String, unreadable failure: Verifier.Unreadable) {
    let error = failure.error
    self.init(
      original: original,
      result: result,
      unreadable: Failure(id: error.code.rawValue, text: error.description, file: failure.file)
    )
  }

  /// The object on one line, without a line end: keys sorted, slashes not escaped.
  public var json: String { jsonLine }
}
