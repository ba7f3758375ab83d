internal import Dispatch
internal import FileSystem
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

  /// The same on all cores, for one file alone.
  var onAllCores: FileOperation {
    guard case .normalize(var normalizer) = self else { return self }
    normalizer.concurrentPerform = { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    return .normalize(normalizer)
  }

  /// Plans from a file's header, reading no more of it than that takes.
  ///
  /// - Throws: ``FileError`` or ``UprightError``.
  func plan(_ file: borrowing FileReader) throws -> Plan {
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
      try file.read(at: offset, count: count)
    }
    return switch self {
    case .normalize(let normalizer): try normalizer.plan(size: file.identity.size, read: read)
    case .tag(let editor): try editor.plan(size: file.identity.size, read: read)
    }
  }

  /// Whether an output is written: of a file that is not cropped after all none is, for it would show what was
  /// to be cut away.
  func copies(_ outcome: Outcome) -> Bool {
    guard case .normalize(let normalizer) = self, normalizer.isCropping,
      case .skip = outcome.plan.action
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
