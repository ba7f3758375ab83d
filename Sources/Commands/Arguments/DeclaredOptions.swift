internal import ArgumentParser

/// Options that are plain values: they have their defaults as soon as they exist, and one function declares their names.
///
/// The property wrappers of ArgumentParser have values only after a parse, whose preparation takes longer than the work on
/// a small photo. So the parser gets wrappers that are made of the declarations, and it is needed only for help, for errors,
/// and for command lines that ``init(reading:)`` does not know.
protocol DeclaredOptions: ParsableArguments, CustomReflectable {
  /// Visits all options in the order of the help.
  mutating func declare(to visitor: inout OptionVisitor) throws
}

extension DeclaredOptions {
  /// The property wrappers in which the parser finds the options.
  var customMirror: Mirror {
    var (options, visitor) = (self, OptionVisitor(.define))
    // Nothing is read that could be wrong.
    try? options.declare(to: &visitor)
    return Mirror(self, children: visitor.wrappers)
  }

  /// Creates the options with the values that the parser found.
  init(from decoder: any Decoder) throws {
    self.init()
    var visitor = OptionVisitor(.decode(try decoder.container(keyedBy: OptionVisitor.Key.self)))
    try declare(to: &visitor)
  }
}

extension DeclaredOptions where Self: ParsableCommand {
  /// Creates the command with the options in its arguments, or returns nil where the parser is needed.
  ///
  /// Reads whole names, each an argument of its own. Values follow as the next argument.
  init?(reading arguments: ArraySlice<String>) {
    self.init()
    var (rest, positional) = (arguments, [] as [String])
    do {
      while let argument = rest.popFirst() {
        guard argument.isOption else {
          positional.append(argument)
          continue
        }
        let name = argument.drop { $0 == "-" }
        // One dash before a letter, two before a word.
        guard argument.utf8.count - name.utf8.count == (name.utf8.count == 1 ? 1 : 2) else {
          return nil
        }
        var visitor = OptionVisitor(.read(name, value: rest.first))
        try declare(to: &visitor)
        guard let count = visitor.valueCount else { return nil }
        rest = rest.dropFirst(count)
      }
      var visitor = OptionVisitor(.complete)
      visitor.positional = positional[...]
      try declare(to: &visitor)
      guard visitor.positional.isEmpty else { return nil }
      try validate()
    } catch {
      // The parser finds the same, and has the message.
      return nil
    }
  }
}
