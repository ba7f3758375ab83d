internal import ImageOrientation
internal import Upright

/// The options of a call, with the names and values of the command's options.
struct CallOptions {
  /// Groups of functions with the same options.
  enum Function {
    case normalize, transform, crop, verify, undo

    /// Returns whether these functions have an option, if any function has it.
    fileprivate func takes(_ name: String) -> Bool {
      switch name {
      case "path", "max-pixels", "max-bytes", "time-limit": true
      case "on-conflict": self == .normalize
      case "tag-only": self == .transform
      case "dry-run": self == .transform || self == .crop
      case "snap": self == .crop
      case "transform", "lossless", "result-path": self == .verify
      case "registered-data": self != .undo
      default: self != .verify && self != .undo
      }
    }
  }

  var options = Options()
  /// The name of the file in the report.
  var path = "-"
  /// The name of the second file in the report of a comparison.
  var resultPath = "-"
  var tagOnly = false
  var dryRun = false
  var snap = Crop.Snap.grow
  /// The expected transform of the displayed image in a comparison.
  var transform = OrientationTransform.none
  /// Whether a comparison fails where anything was re-encoded or cut off.
  var lossless = false

  /// Reads names and values.
  ///
  /// - Throws: ``UprightError`` of code `unknown-option` or `unknown-value`.
  init(_ words: [String], for function: Function) throws(UprightError) {
    for index in stride(from: 0, to: words.count, by: 2) {
      let name = words[index]
      guard index + 1 < words.count else {
        throw UprightError(.unknownValue, "\(name) has no value")
      }
      do throws(Options.UnknownValue) {
        if function.takes(name), try set(name, words[index + 1]) { continue }
      } catch {
        throw UprightError(.unknownValue, error.message)
      }
      throw UprightError(.unknownOption, "this function has no option \(name)")
    }
  }

  /// Sets an option; returns false if no option has that name.
  private mutating func set(
    _ name: String,
    _ value: String
  ) throws(Options.UnknownValue) -> Bool {
    switch name {
    case "path": path = value
    case "result-path": resultPath = value
    case "tag-only": tagOnly = try Self.flag(name, value)
    case "dry-run": dryRun = try Self.flag(name, value)
    case "snap": snap = try Options.value(value, of: name)
    case "transform": transform = try Options.value(value, of: name)
    case "lossless": lossless = try Self.flag(name, value)
    case "lossless-only": if try Self.flag(name, value) { options.unaligned = .skip }
    case "strict-orientation": options.strictOrientation = try Self.flag(name, value)
    case "reset-invalid": options.resetsInvalid = try Self.flag(name, value)
    case "verify": options.verification = try Options.value(value, of: name)
    case "check-unchanged": options.checksUnchanged = try Self.flag(name, value)
    case "require-undo": options.requiresUndo = try Self.flag(name, value)
    case "max-pixels": options.maxPixels = try Self.count(name, value)
    case "max-scans": options.maxScans = try Self.count(name, value)
    case "max-bytes": options.maxBytes = try Self.count(name, value)
    case "memory":
      options.maxMemory = try Int(clamping: min(Self.number(name, value), 1 << 40) << 20)
    case "time-limit":
      options.timeLimit = try .milliseconds(min(Self.number(name, value), 1 << 40))
    default: return try options.setPolicy(name, to: value)
    }
    return true
  }

  private static func flag(
    _ name: String,
    _ value: String
  ) throws(Options.UnknownValue) -> Bool {
    guard let flag = Bool(value) else {
      throw Options.UnknownValue(message: "\(name) must be true or false")
    }
    return flag
  }

  private static func count(
    _ name: String,
    _ value: String
  ) throws(Options.UnknownValue) -> Int {
    try Int(clamping: number(name, value))
  }

  /// Returns a number, which may be larger than Int where that has 32 bits.
  private static func number(
    _ name: String,
    _ value: String
  ) throws(Options.UnknownValue) -> Int64 {
    guard let number = Int64(value), number >= 0 else {
      throw Options.UnknownValue(
        message: "\(name) must be a whole number from 0 to \(Int64.max)"
      )
    }
    return number
  }
}
