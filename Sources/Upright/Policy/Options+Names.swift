extension Options {
  /// The error of a value that a policy does not have.
  package struct UnknownValue: Error {
    /// The message, which lists the valid values.
    package var message: String

    /// Creates the error from its message.
    package init(message: String) { self.message = message }
  }

  /// Sets a policy by the names of the command's option and value; returns whether the policy exists.
  package mutating func setPolicy(
    _ name: some StringProtocol,
    to value: some StringProtocol
  ) throws(UnknownValue) -> Bool {
    switch name {
    case "unaligned": unaligned = try Self.value(value, of: name)
    case "redraw-quality": redrawQuality = try Self.value(value, of: name)
    case "on-conflict": onConflict = try Self.value(value, of: name)
    case "resolution": resolution = try Self.value(value, of: name)
    case "regions": regions = try Self.value(value, of: name)
    case "registered-data": registeredData = try Self.value(value, of: name)
    case "content-credentials": contentCredentials = try Self.value(value, of: name)
    default: return false
    }
    return true
  }

  /// Returns the value of an option from its name.
  package static func value<Value: RawRepresentable & CaseIterable>(
    _ value: some StringProtocol,
    of name: some StringProtocol
  ) throws(UnknownValue) -> Value where Value.RawValue == String {
    if let value = Value(rawValue: String(value)) { return value }
    let values = Value.allCases.map { $0.rawValue }.joined(separator: ", ")
    throw UnknownValue(message: "\(name) must be one of \(values)")
  }
}
