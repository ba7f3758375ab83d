extension Setting {
  /// The values that a setting has, and how they are read and written as text.
  package struct Access: Sendable {
    let kind: Kind
    var values: [Value] = []
    var unit: String?
    let get: @Sendable (CallOptions) -> String?
    /// Returns whether the setting has the value.
    let set: @Sendable (inout CallOptions, String) -> Bool
  }

  /// Calls its second argument with the place of a value in options, because Embedded Swift has no key paths.
  package typealias Place<Value> = @Sendable (inout CallOptions, (inout Value) -> Void) -> Void

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

extension Setting.Access {
  /// A choice between the cases of an enumeration, of each of which `text` gives the effect.
  package static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    at place: @escaping Setting.Place<Value>,
    _ text: (Value) -> String
  ) -> Self {
    Self(
      .choice,
      values: Value.allCases.map { .init($0.rawValue, text($0)) },
      at: place,
      text: { $0.rawValue },
      value: { Value(rawValue: $0) }
    )
  }

  /// Any text.
  static func text(at place: @escaping Setting.Place<String>) -> Self {
    Self(.text, at: place, text: { $0 }, value: { $0 })
  }

  /// A choice between the cases of an enumeration of another module, which reads it by the name of the setting.
  package static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    named name: String,
    standard: Value,
    _ text: (Value) -> String
  ) -> Self {
    let place: Setting.Place<Value> = { call, change in
      var value = call.choice(name) ?? standard
      change(&value)
      call[further: name] = value.rawValue
    }
    return choice(at: place, text)
  }

  /// Any text, which another module reads by the name of the setting; there is none by default.
  package static func text(named name: String) -> Self {
    Self(kind: .text, get: { $0[further: name] }) { call, text in
      call[further: name] = text
      return true
    }
  }

  /// True or false, which another module reads by the name of the setting.
  package static func flag(named name: String) -> Self {
    flag { call, change in
      var isSet = call.isSet(name)
      change(&isSet)
      call[further: name] = isSet ? "true" : nil
    }
  }

  /// True or false.
  package static func flag(at place: @escaping Setting.Place<Bool>) -> Self {
    Self(
      .flag,
      at: place,
      text: { $0 ? "true" : "false" },
      value: { $0 == "true" ? true : $0 == "false" ? false : nil }
    )
  }

  /// A whole number from 0, which may be larger than Int where that has 32 bits.
  static func number(
    unit: String,
    get: @escaping @Sendable (CallOptions) -> Int?,
    set: @escaping @Sendable (inout CallOptions, Int64) -> Void
  ) -> Self {
    Self(kind: .number, unit: unit, get: { get($0).map { "\($0)" } }) { call, text in
      guard let number = Int64(text), number >= 0 else { return false }
      set(&call, number)
      return true
    }
  }

  private init<Value>(
    _ kind: Setting.Kind,
    values: [Setting.Value] = [],
    at place: @escaping Setting.Place<Value>,
    text: @escaping @Sendable (Value) -> String,
    value: @escaping @Sendable (String) -> Value?
  ) {
    self.init(
      kind: kind,
      values: values,
      get: { call in
        var (call, result) = (call, "")
        place(&call) { result = text($0) }
        return result
      },
      set: { call, text in
        guard let value = value(text) else { return false }
        place(&call) { $0 = value }
        return true
      }
    )
  }
}
