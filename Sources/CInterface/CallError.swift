internal import Upright

extension UprightError.Code {
  /// The function has no option of that name.
  static let unknownOption = Self(rawValue: "unknown-option")
  /// The option does not have that value.
  static let unknownValue = Self(rawValue: "unknown-value")
  /// Another argument is invalid.
  static let argument = Self(rawValue: "argument")
}
