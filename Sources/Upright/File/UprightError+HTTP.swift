extension UprightError {
  /// The status of an HTTP response to the request that failed with this error.
  ///
  /// - 400: an option that is given by its name is wrong.
  /// - 413: the file exceeds a limit.
  /// - 415: the file has another format, or a feature that is not supported.
  /// - 422: the file is damaged, or cannot be changed as requested.
  /// - 500: the result failed its verification, or the server has another problem.
  /// - 503: time or memory ran out, or the work was cancelled; it may succeed later.
  public var httpStatus: Int {
    switch (cause, code) {
    case (_, .unknownOption), (_, .unknownValue), (_, .argument): 400
    case (.file, .limit): 413
    case (.file, .empty), (.file, .notImage), (.file, .notJPEG), (.file, .notHEIF),
      (.file, .unsupported):
      415
    case (.file, _), (.request, _): 422
    case (.work, .timeLimit), (.work, .outOfMemory), (.work, .cancelled): 503
    case (.work, _): 500
    }
  }
}
