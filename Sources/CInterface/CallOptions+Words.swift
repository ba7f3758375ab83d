internal import Upright

extension CallOptions {
  /// Reads names and values.
  ///
  /// The first option may be `spelling`, which says how the names after it are spelled, and those in messages.
  ///
  /// - Parameters:
  ///   - words: The names and values.
  ///   - function: The function, which determines the valid options.
  ///   - settings: The settings of all functions of its kind.
  /// - Throws: ``UprightError`` of code `unknown-option` or `unknown-value`.
  init(
    _ words: [String],
    for function: Setting.Takers,
    among settings: [Setting] = Setting.all
  ) throws(UprightError) {
    self.init()
    let settings = settings.filter { $0.takers.isSuperset(of: function) }
    var spelling = Spelling.kebab
    for index in stride(from: 0, to: words.count, by: 2) {
      let name = words[index]
      guard index + 1 < words.count else {
        throw UprightError(.unknownValue, "\(name) has no value")
      }
      if index == 0, name == "spelling" {
        guard let given = Spelling(rawValue: words[index + 1]) else {
          let names = Spelling.allCases.map { $0.rawValue }.joined(separator: ", ")
          throw UprightError(.unknownValue, "spelling must be one of \(names)")
        }
        spelling = given
        continue
      }
      guard let setting = settings.first(where: { spelling.spelled($0.name) == name }) else {
        let names = settings.map { spelling.spelled($0.name) }
        throw UprightError(
          .unknownOption,
          "this function has no option \(name)" + Suggestion.question(name, among: names)
        )
      }
      try setting.set(&self, to: words[index + 1], spelling: spelling)
    }
  }
}
