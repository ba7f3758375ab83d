extension Options {
  /// A value that a policy does not have.
  package struct UnknownValue: Error {
    /// The values that there are, in words.
    package var message: String

    /// Makes one.
    package init(message: String) { self.message = message }
  }

  /// Sets a policy, both the policy and its value named as the command's options are.
  ///
  /// - Parameters:
  ///   - name: The name, such as `on-conflict`.
  ///   - value: The value, such as `trust-tag`.
  /// - Returns: Whether there is a policy of that name.
  /// - Throws: ``UnknownValue``.
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
    case "content-credentials": contentCredentials = try Self.value(value, of: name)
    default: return false
    }
    return true
  }

  /// The value of a name.
  ///
  /// - Parameters:
  ///   - value: The name of the value.
  ///   - name: The name of the option.
  /// - Returns: The value.
  /// - Throws: ``UnknownValue``.
  package static func value<Value: RawRepresentable & CaseIterable>(
    _ value: some StringProtocol,
    of name: some StringProtocol
  ) throws(UnknownValue) -> Value where Value.RawValue == String {
    if let value = Value(rawValue: String(value)) { return value }
    let values = Value.allCases.map { $0.rawValue }.joined(separator: ", ")
    throw UnknownValue(message: "\(name) must be one of \(values)")
  }
}
