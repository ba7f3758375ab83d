internal import ArgumentParser

// The kinds of options. For the parser, each has the value that it has before as its default.
extension OptionVisitor {
  /// Visits a flag.
  mutating func flag(
    _ value: inout Bool,
    _ name: String,
    short: Character? = nil,
    help: @autoclosure () -> ArgumentHelp
  ) throws {
    try exchange(&value, name) { Flag(wrappedValue: $0, name: .of(name, short), help: help()) }
    if reads(name, short, valueCount: 0) { value = true }
  }

  /// Visits an option with a default.
  mutating func option<Value: ExpressibleByArgument>(
    _ value: inout Value,
    _ name: String,
    help: @autoclosure () -> ArgumentHelp
  ) throws {
    try exchange(&value, name) { Option(wrappedValue: $0, name: .of(name), help: help()) }
    if let text = try self.value(name, nil) { value = try Self.parsed(text) }
  }

  /// Visits an option without a default.
  mutating func option<Value: ExpressibleByArgument>(
    _ value: inout Value?,
    _ name: String,
    short: Character? = nil,
    allowingJoined: Bool = false,
    help: @autoclosure () -> ArgumentHelp,
    completion: @autoclosure () -> CompletionKind? = nil
  ) throws {
    try exchange(&value, name) { _ in
      Option(
        name: .of(name, short, allowingJoined: allowingJoined),
        help: help(),
        completion: completion()
      )
    }
    if let text = try self.value(name, short) { value = try Self.parsed(text) as Value }
  }

  /// Visits an option without a default, whose value is the result of a function.
  mutating func option<Value>(
    _ value: inout Value?,
    _ name: String,
    help: @autoclosure () -> ArgumentHelp,
    transform: @escaping @Sendable (String) throws -> Value
  ) throws {
    try exchange(&value, name) { _ in
      Option(name: .of(name), help: help(), transform: transform)
    }
    if let text = try self.value(name, nil) { value = try transform(text) }
  }

  /// Visits an option that may be repeated.
  mutating func options(
    _ values: inout [String],
    _ name: String,
    help: @autoclosure () -> ArgumentHelp
  ) throws {
    try exchange(&values, name) { Option(wrappedValue: $0, name: .of(name), help: help()) }
    if let text = try value(name, nil) { values.append(text) }
  }

  /// Visits an argument that may be missing, whose value is the result of a function.
  mutating func argument<Value>(
    _ value: inout Value?,
    _ key: String,
    help: @autoclosure () -> ArgumentHelp,
    completion: @autoclosure () -> CompletionKind? = nil,
    transform: @escaping @Sendable (String) throws -> Value
  ) throws {
    try exchange(&value, key) { _ in
      Argument(help: help(), completion: completion(), transform: transform)
    }
    if let text = next() { value = try transform(text) }
  }

  /// Visits an argument that must be given, whose value is the result of a function.
  mutating func requiredArgument<Value>(
    _ value: inout Value,
    _ key: String,
    help: @autoclosure () -> ArgumentHelp,
    completion: @autoclosure () -> CompletionKind? = nil,
    transform: @escaping @Sendable (String) throws -> Value
  ) throws {
    try exchange(&value, key) { _ in
      Argument(help: help(), completion: completion(), transform: transform)
    }
    guard takesArguments else { return }
    guard let text = next() else { throw Unreadable() }
    value = try transform(text)
  }

  /// Visits the remaining arguments.
  mutating func arguments(
    _ values: inout [String],
    _ key: String,
    help: @autoclosure () -> ArgumentHelp,
    completion: @autoclosure () -> CompletionKind? = nil
  ) throws {
    try exchange(&values, key) {
      Argument(wrappedValue: $0, help: help(), completion: completion())
    }
    while let text = next() { values.append(text) }
  }

  private static func parsed<Value: ExpressibleByArgument>(
    _ text: String
  ) throws(Unreadable) -> Value {
    guard let value = Value(argument: text) else { throw Unreadable() }
    return value
  }
}

extension NameSpecification {
  /// The short name, if there is one, and the long name.
  fileprivate static func of(
    _ name: String,
    _ short: Character? = nil,
    allowingJoined: Bool = false
  ) -> NameSpecification {
    guard let short else { return [.customLong(name)] }
    return [.customShort(short, allowingJoined: allowingJoined), .customLong(name)]
  }
}
