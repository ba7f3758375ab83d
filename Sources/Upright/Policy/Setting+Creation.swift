extension Setting {
  /// Creates a choice between the cases of an enumeration.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String,
    _ text: String,
    _ group: Group,
    _ takers: Takers,
    of: Value.Type,
    values: (Value) -> String,
    get: @escaping @Sendable (CallOptions) -> Value,
    set: @escaping @Sendable (inout CallOptions, Value) -> Void
  ) -> Setting {
    Setting(
      name,
      text,
      group,
      takers,
      .choice(
        Value.allCases.map { .init($0.rawValue, values($0)) },
        get: { get($0).rawValue },
        set: { call, text in
          guard let value = Value(rawValue: text) else { return false }
          set(&call, value)
          return true
        }
      )
    )
  }

  /// Returns the setting with a question for people.
  func asking(_ question: String) -> Setting {
    var setting = self
    setting.question = question
    return setting
  }

  /// The setting in the short help.
  var everyday: Setting {
    var setting = self
    setting.isEveryday = true
    return setting
  }
}
