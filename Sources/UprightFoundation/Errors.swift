public import Foundation
public import Upright

extension UprightError: LocalizedError {
  /// The message with the offset and, in a comparison, with the file.
  public var errorDescription: String? { description }
}
