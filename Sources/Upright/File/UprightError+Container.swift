internal import ImageFormats
package import JPEGCore

extension UprightError {
  /// Creates the error of an image in a file.
  package init(_ error: ContainerError) {
    let code: Code =
      switch error.kind {
      case .empty: .empty
      case .notJPEG: .notJPEG
      case .truncated: .truncated
      case .malformed: .malformed
      case .limit: .limit
      }
    self.init(code, at: error.offset, error.message)
  }

  /// Creates the error of a file, given its first bytes; if it is no JPEG file, the message names what it is.
  package init(_ error: ContainerError, of beginning: Span<UInt8>) {
    self.init(error)
    guard error.kind == .notJPEG else { return }
    if let name = FileContent.name(of: beginning) { message = "not a JPEG: this is \(name)" }
    if ImageFormat(beginning: beginning)?.isHEIF == true {
      remedies = [Remedy(.action(.convert), "")]
    }
  }
}
