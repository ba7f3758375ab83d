package import ImageOrientation

/// What the options of a call from another language set: the options of the library, and what belongs to one call.
package struct CallOptions: Sendable {
  package var options: Options
  /// The name of the file in the report.
  package var path = "-"
  /// The name of the second file in the report of a comparison.
  package var resultPath = "-"
  /// Whether only the Orientation tag is changed.
  package var tagOnly = false
  /// Whether the work is only reported.
  package var dryRun = false
  /// What is done with a rectangle that is not aligned with MCUs.
  package var snap = Crop.Snap.grow
  /// The expected transform of the displayed image in a comparison.
  package var transform = OrientationTransform.none
  /// Whether a comparison fails where anything was re-encoded or cut off.
  package var lossless = false
  /// The values of settings that other modules declare: a list, because a dictionary would bring its hash function into
  /// the module of WebAssembly.
  private var further: [(name: String, value: String)] = []

  package init(_ options: Options = Options()) { self.options = options }
}

extension CallOptions {
  /// The value of a setting that another module declares, as text; nil if it is not set.
  package subscript(further name: String) -> String? {
    get { further.first { $0.name == name }?.value }
    set {
      further.removeAll { $0.name == name }
      if let newValue { further.append((name, newValue)) }
    }
  }

  /// Returns the value of a choice that another module declares; nil if it is not set.
  package func choice<Value: RawRepresentable<String>>(_ name: String) -> Value? {
    self[further: name].flatMap { Value(rawValue: $0) }
  }

  /// Whether a flag that another module declares is set.
  package func isSet(_ name: String) -> Bool { self[further: name] != nil }
}

extension Options {
  /// Sets a policy by the names of the command's option and value, as in a query of a request.
  ///
  /// - Parameters:
  ///   - name: The name of one of ``Setting/policies``, such as `on-conflict`.
  ///   - value: The value, such as `skip`; `true` or `false` for a flag.
  /// - Returns: Whether there is a policy of this name.
  /// - Throws: ``UprightError`` of code `unknown-value`, with a message that lists the values.
  public mutating func setPolicy(
    _ name: String,
    to value: String
  ) throws(UprightError) -> Bool {
    guard let policy = Setting.policies.first(where: { $0.name == name }) else { return false }
    var call = CallOptions(self)
    try policy.set(&call, to: value)
    self = call.options
    return true
  }
}
