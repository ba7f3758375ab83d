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
      name: name,
      text: text,
      kind: .choice(Value.allCases.map { .init(name: $0.rawValue, text: values($0)) }),
      group: group,
      takers: takers,
      read: { get($0).rawValue },
      write: { call, text in
        guard let value = Value(rawValue: text) else { return false }
        set(&call, value)
        return true
      }
    )
  }

  /// Creates a flag.
  static func flag(
    _ name: String,
    _ text: String,
    _ group: Group,
    _ takers: Takers,
    get: @escaping @Sendable (CallOptions) -> Bool,
    set: @escaping @Sendable (inout CallOptions, Bool) -> Void
  ) -> Setting {
    Setting(
      name: name,
      text: text,
      kind: .flag,
      group: group,
      takers: takers,
      read: { get($0) ? "true" : "false" },
      write: { call, text in
        guard text == "true" || text == "false" else { return false }
        set(&call, text == "true")
        return true
      }
    )
  }

  /// Creates a number, which may be larger than Int where that has 32 bits.
  static func number(
    _ name: String,
    _ text: String,
    of unit: String,
    _ group: Group,
    _ takers: Takers,
    get: @escaping @Sendable (CallOptions) -> Int?,
    set: @escaping @Sendable (inout CallOptions, Int64) -> Void
  ) -> Setting {
    Setting(
      name: name,
      text: text,
      kind: .number(unit: unit),
      group: group,
      takers: takers,
      read: { get($0).map { "\($0)" } },
      write: { call, text in
        guard let number = Int64(text), number >= 0 else { return false }
        set(&call, number)
        return true
      }
    )
  }

  /// Creates a text.
  static func text(
    _ name: String,
    _ text: String,
    _ group: Group,
    _ takers: Takers,
    get: @escaping @Sendable (CallOptions) -> String,
    set: @escaping @Sendable (inout CallOptions, String) -> Void
  ) -> Setting {
    Setting(
      name: name,
      text: text,
      kind: .text,
      group: group,
      takers: takers,
      read: get,
      write: { call, text in
        set(&call, text)
        return true
      }
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
