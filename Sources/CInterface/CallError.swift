internal import Upright

extension UprightError.Code {
  /// A function of the C library does not take an option of that name.
  static let unknownOption = Self(rawValue: "unknown-option")
  /// An option does not have that value.
  static let unknownValue = Self(rawValue: "unknown-value")
  /// Another argument is not one that there is.
  static let argument = Self(rawValue: "argument")
}
