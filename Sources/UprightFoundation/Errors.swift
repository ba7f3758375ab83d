public import Foundation
public import Upright
public import Verification

extension UprightError: LocalizedError {
  /// The message with the offset.
  public var errorDescription: String? { description }
}

extension Verifier.Unreadable: LocalizedError {
  /// Which file cannot be read, and why.
  public var errorDescription: String? { description }
}
