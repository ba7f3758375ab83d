extension Setting {
  /// What it decides and what its values do, for the help of an option.
  public var help: String {
    guard !values.isEmpty else { return prose.text }
    let effects = values.map { "\($0.name): \($0.prose.text)" }
    return prose.text + " " + effects.joined(separator: "; ") + "."
  }
}
