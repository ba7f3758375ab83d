internal import Dispatch
internal import FileSystem
internal import ImageOrientation
internal import Upright

/// The operation of a command on each file.
enum FileOperation: Sendable {
  case normalize(Normalizer)
  case tag(TagEditor)
  case stored(StoredTransform)

  /// The library's options.
  var options: Options {
    switch self {
    case .normalize(let normalizer): normalizer.options
    case .tag(let editor): editor.options
    case .stored(let transform): transform.normalizer.options
    }
  }

  /// The operation on all cores, for a single file.
  var onAllCores: FileOperation {
    func onAllCores(_ normalizer: Normalizer) -> Normalizer {
      var normalizer = normalizer
      normalizer.concurrentPerform = {
        DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
      }
      return normalizer
    }
    switch self {
    case .normalize(let normalizer): return .normalize(onAllCores(normalizer))
    case .tag: return self
    case .stored(var transform):
      transform.normalizer = onAllCores(transform.normalizer)
      return .stored(transform)
    }
  }

  /// Returns the operation that transforms the displayed image, or keeps the file if there is nothing to transform.
  func rotating(by transform: OrientationTransform) -> FileOperation {
    guard case .normalize(var normalizer) = self, transform != .none else {
      return .tag(TagEditor(.transform(transform), options: options))
    }
    normalizer.then = transform
    return .normalize(normalizer)
  }

  /// Plans from a file's header, and reads no more of the file than needed.
  ///
  /// - Throws: ``FileError`` or ``UprightError``.
  func plan(_ file: borrowing FileReader) throws -> Plan {
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
      try file.read(at: offset, count: count)
    }
    return switch self {
    case .normalize(let normalizer): try normalizer.plan(size: file.identity.size, read: read)
    case .tag(let editor): try editor.plan(size: file.identity.size, read: read)
    case .stored(let transform): try transform.plan(size: file.identity.size, read: read)
    }
  }

  /// Whether an output is written.
  ///
  /// A crop that is not carried out writes none, because the copy would still show what was to be removed. Neither do
  /// programs that report only by their exit status.
  func copies(_ outcome: Outcome) -> Bool {
    guard case .skip = outcome.plan.action else { return true }
    return switch self {
    case .normalize(let normalizer): !normalizer.isCropping
    case .tag: true
    case .stored: false
    }
  }

  /// Performs the operation on a whole file.
  func outcome(_ file: [UInt8]) throws(UprightError) -> Outcome {
    switch self {
    case .normalize(let normalizer): try normalizer.normalize(file)
    case .tag(let editor): try editor.edit(file)
    case .stored(let transform): try transform.outcome(file)
    }
  }
}
