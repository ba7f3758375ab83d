/// What a request can set, by name: a policy, a flag, a limit, or what belongs to one call.
public struct Setting: Sendable {
  /// The name of the command's option, without the dashes before it.
  public let name: String
  /// The requests that take it.
  package let takers: Takers
  /// The group in which it is documented.
  package let group: Group
  /// What a page asks somebody whose photo was skipped; nil if no page does.
  public internal(set) var question: String?
  /// Whether the short help lists it.
  package var isEveryday = false
  /// What it decides: a sentence.
  package let prose: Prose
  let access: Access

  /// Creates a setting; other modules declare those of their functions.
  package init(
    _ name: String,
    _ text: String,
    _ group: Group,
    _ takers: Takers,
    _ access: Access
  ) {
    self.name = name
    self.group = group
    self.takers = takers
    self.access = access
    prose = Prose(text)
  }

  /// The values that a setting has: one of several, true or false, a whole number from 0, or any text.
  package enum Kind: String, Sendable {
    case choice, flag, number, text
  }

  /// A value of a setting.
  public struct Value: Sendable {
    /// The name.
    public let name: String
    /// What it has for an effect: a clause that begins with its subject; empty if the name says it.
    package let prose: Prose

    init(_ name: String, _ text: String) {
      self.name = name
      prose = Prose(text)
    }
  }

  /// A group of settings.
  package enum Group: String, CaseIterable, Sendable {
    case policies, limits, checks, call
    /// Those of functions on files, which take those of the image, too.
    case files
  }

  /// Requests that take the same settings; an audit takes those of a normalization.
  package struct Takers: OptionSet, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let normalize = Takers(rawValue: 1)
    /// Rotations and flips.
    package static let transform = Takers(rawValue: 2)
    package static let crop = Takers(rawValue: 4)
    /// Changes of the tag alone, by the command.
    package static let tag = Takers(rawValue: 8)
    package static let verify = Takers(rawValue: 16)
    package static let undo = Takers(rawValue: 32)
    /// Clients of the service, which cannot set its limits.
    package static let service = Takers(rawValue: 64)

    /// Everything that transforms a photo.
    package static let rewrites: Takers = [.normalize, .transform, .crop]
    /// The functions of the library.
    package static let functions: Takers = [.normalize, .transform, .crop, .verify, .undo]

    /// The sets of one request each, with their names.
    package static let named: [(name: String, takers: Takers)] = [
      ("normalize", .normalize), ("transform", .transform), ("crop", .crop), ("tag", .tag),
      ("verify", .verify), ("undo", .undo), ("service", .service),
    ]
  }
}

extension Setting {
  /// The values that it has.
  package var kind: Kind { access.kind }

  package var unit: String? { access.unit }

  /// The values of a choice; empty for other settings.
  public var values: [Value] { access.values }

  /// Returns the value in options; nil if there is none, as of a limit without a default.
  package func value(in call: CallOptions) -> String? { access.get(call) }

  /// Sets the value from its text; `spelling` is that of the caller.
  package func set(
    _ call: inout CallOptions,
    to value: String,
    spelling: Spelling = .kebab
  ) throws(UprightError) {
    guard !access.set(&call, value) else { return }
    let names = values.map { $0.name }
    let valid =
      switch kind {
      case .choice, .text: "one of " + names.joined(separator: ", ")
      case .flag: "true or false"
      case .number: "a whole number from 0 to \(Int64.max)"
      }
    throw UprightError(
      .unknownValue,
      "\(spelling.spelled(name)) must be \(valid)"
        + Suggestion.question(value, among: names)
    )
  }

  /// The policies that a client of the service may set, too; those without ``values`` are `true` or `false`.
  public static let policies = all.filter { $0.takers.contains(.service) }

  /// Returns a setting by its name.
  package static func named(_ name: String, in settings: [Setting] = all) -> Setting {
    guard let setting = settings.first(where: { $0.name == name }) else {
      preconditionFailure("there is no setting of this name")
    }
    return setting
  }
}
