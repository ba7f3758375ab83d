internal import ArgumentParser

/// Visits the options of a command, for one purpose.
struct OptionVisitor {
  /// What is done with the options.
  enum Purpose {
    /// Collects the property wrappers that define them for the parser.
    case define
    /// Takes the values that the parser found.
    case decode(KeyedDecodingContainer<Key>)
    /// Sets the one that has a name, long or short, without dashes; the next argument may be its value.
    case read(Substring, value: String?)
    /// Sets those without a name, and validates groups.
    case complete
  }

  /// The name of an option or of a group, as the parser has it.
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  /// Why the parser is needed.
  struct Unreadable: Error {}

  private let purpose: Purpose
  /// The property wrappers that define the options.
  private(set) var wrappers: [Mirror.Child] = []
  /// The number of arguments that are the value of the option that was set, 0 or 1; nil if there is no such option.
  private(set) var valueCount: Int?
  /// The arguments without a name that are not taken yet.
  var positional: ArraySlice<String> = []

  init(_ purpose: Purpose) { self.purpose = purpose }

  /// Defines an option for the parser, or takes the value that the parser found.
  mutating func exchange<Wrapper: OptionWrapper>(
    _ value: inout Wrapper.Value,
    _ key: String,
    _ wrapper: (_ standard: Wrapper.Value) -> Wrapper
  ) throws {
    switch purpose {
    case .define: wrappers.append((key, wrapper(value)))
    case .decode(let values):
      value = try values.decode(Wrapper.self, forKey: Key(stringValue: key)).wrappedValue
    case .read, .complete: break
    }
  }

  /// Whether an option is the one to set; `valueCount` is the number of arguments that are its value.
  mutating func reads(_ name: String, _ short: Character?, valueCount: Int) -> Bool {
    guard case .read(let given, _) = purpose,
      given == name || given.first == short && given.utf8.count == 1
    else { return false }
    self.valueCount = valueCount
    return true
  }

  /// Returns the value of an option if it is the one to set.
  mutating func value(_ name: String, _ short: Character?) throws(Unreadable) -> String? {
    guard case .read(_, let value) = purpose, reads(name, short, valueCount: 1) else { return nil }
    guard let value, !value.isOption else { throw Unreadable() }
    return value
  }

  /// Visits the options of a group.
  mutating func group<Group: DeclaredOptions>(
    _ group: inout Group,
    _ key: String,
    title: String = ""
  ) throws {
    switch purpose {
    case .define, .decode: try exchange(&group, key) { _ in OptionGroup(title: title) }
    case .read: try group.declare(to: &self)
    case .complete:
      try group.declare(to: &self)
      try group.validate()
    }
  }

  /// Whether arguments without a name are taken.
  var takesArguments: Bool {
    if case .complete = purpose { true } else { false }
  }

  /// Returns the next argument without a name, if these are taken.
  mutating func next() -> String? { takesArguments ? positional.popFirst() : nil }
}

/// A property wrapper of the parser.
protocol OptionWrapper: Decodable {
  associatedtype Value
  var wrappedValue: Value { get }
}

extension Argument: OptionWrapper {}
extension Flag: OptionWrapper {}
extension Option: OptionWrapper {}
extension OptionGroup: OptionWrapper {}

extension String {
  /// Whether an argument is an option, not a value; a single - is a standard stream.
  var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}
