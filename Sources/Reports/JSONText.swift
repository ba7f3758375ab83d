public import Upright

extension JSONReport {
  /// The object on one line, without a line end: keys sorted, slashes as they are.
  public var json: String { jsonLine }
}

extension JSONVerification {
  /// The report of a pair one of whose files cannot be read.
  ///
  /// - Parameters:
  ///   - original: The file before.
  ///   - result: The file afterwards.
  ///   - failure: Which file cannot be read, and why.
  public init(original: String, result: String, unreadable failure: Verifier.Unreadable) {
    let error = failure.error
    self.init(
      original: original,
      result: result,
      unreadable: Failure(id: error.code.rawValue, text: error.description, file: failure.file)
    )
  }

  /// The object on one line, without a line end: keys sorted, slashes as they are.
  public var json: String { jsonLine }
}
