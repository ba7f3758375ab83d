internal import Archive
internal import Upright

/// What a command does with each file.
enum FileOperation: Sendable {
  case normalize(Normalizer)
  case tag(TagEditor)

  /// What is done where there is a choice.
  var options: Options {
    switch self {
    case .normalize(let normalizer): normalizer.options
    case .tag(let editor): editor.options
    }
  }

  /// Plans from a file's header, reading no more of it than that takes.
  ///
  /// - Throws: ``FileError`` or ``UprightError``.
  func plan(_ file: borrowing FileReader) throws -> Plan {
    switch self {
    case .normalize(let normalizer): try normalizer.plan(file)
    case .tag(let editor): try editor.plan(file)
    }
  }

  /// Whether an output is written: of a file that is not cropped after all none is, for it would show what was
  /// to be cut away.
  func copies(_ outcome: Outcome) -> Bool {
    guard case .normalize(let normalizer) = self, normalizer.isCropping,
      case .leave = outcome.plan.action
    else { return true }
    return false
  }

  /// Does it.
  func outcome(_ file: [UInt8]) throws(UprightError) -> Outcome {
    switch self {
    case .normalize(let normalizer): try normalizer.normalize(file)
    case .tag(let editor): try editor.edit(file)
    }
  }
}

extension TagEditor {
  fileprivate func plan(_ file: borrowing FileReader) throws -> Plan {
    var length = 16 << 10
    while true {
      let beginning = try file.read(at: 0, count: length)
      if let plan = try plan(beginning: beginning) { return plan }
      guard length < file.identity.size else {
        throw UprightError(
          .truncated,
          at: beginning.count,
          "the file ends before the first scan of its picture"
        )
      }
      length *= 4
    }
  }
}
