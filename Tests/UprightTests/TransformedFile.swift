import Fixtures
import Foundation
import Testing
import Upright

/// A fixture, what the library makes of it, and what others read in both.
struct TransformedFile {
  var original: [UInt8]
  var bytes: [UInt8]
  var rewrite: Rewrite

  /// Rewrites a fixture; a test fails where it is left as it is.
  init(_ path: String, tag: UInt8? = nil, options change: (inout Options) -> Void = { _ in }) throws
  {
    var original = try Fixture.bytes(path)
    if let tag { original = try Self.withOrientation(tag, original) }
    try self.init(original, options: change)
  }

  /// Rewrites a file; a test fails where it is left as it is.
  init(_ original: [UInt8], options change: (inout Options) -> Void) throws {
    self.original = original
    var options = Options()
    change(&options)
    let outcome = try Rewriter(options: options).rewrite(original)
    guard case .rewritten(let rewrite) = outcome else {
      throw Failure(description: "not rewritten: \(outcome.plan.action)")
    }
    self.rewrite = rewrite
    bytes = rewrite.bytes
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  /// The file with another number in the Orientation of IFD0, a SHORT of either byte order.
  private static func withOrientation(_ tag: UInt8, _ bytes: [UInt8]) throws -> [UInt8] {
    let spellings: [(entry: [UInt8], value: Int)] = [
      ([0x12, 0x01, 3, 0, 1, 0, 0, 0], 0), ([0x01, 0x12, 0, 3, 0, 0, 0, 1], 1),
    ]
    for (entry, value) in spellings {
      guard let found = bytes.firstRange(of: entry) else { continue }
      var result = bytes
      result[found.upperBound + value] = tag
      return result
    }
    throw Failure(description: "there is no Orientation")
  }

  /// Whether the listed changes, applied one by one, give the new file: whether all the rest is kept.
  var changesOnlyWhatItLists: Bool {
    var rebuilt = original
    for change in rewrite.changes.reversed() {
      rebuilt.replaceSubrange(change.range, with: change.replacement)
    }
    return rebuilt == bytes
  }

  /// The fields that changed.
  var fields: [String] { rewrite.changes.map(\.field.rawValue) }

  /// By how much changes of some fields make the file longer.
  func growth(_ isCounted: (Change) -> Bool) -> Int {
    rewrite.changes.filter(isCounted).reduce(0) { $0 + $1.replacement.count - $1.range.count }
  }
}

/// Whether `new` is, as djpeg decodes it, what jpegtran makes of `old`.
func isTransformed(_ old: [UInt8], _ new: [UInt8], _ transform: String) throws -> Bool {
  let options = ["-perfect"] + Tool.jpegtranOptions(transform)
  return try Tool.djpeg(new) == Tool.djpeg(try Tool.jpegtran(old, options))
}
