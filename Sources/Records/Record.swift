internal import FileSystem
internal import ImageOrientation
package import Reports
package import SystemPackage
package import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is kept of one rewrite: which file, what was done, and the undo data (`docs/records.md`).
public struct Record: Codable, Hashable, Sendable {
  /// The version of the form.
  public static let schema = "upright-record/1"

  /// A file's content.
  public struct Content: Codable, Hashable, Sendable {
    /// How many bytes it has.
    public var size: Int
    /// Its SHA-256.
    public var sha256: Digest

    /// Describes some bytes.
    public init(_ bytes: [UInt8]) {
      size = bytes.count
      sha256 = Digest(of: bytes)
    }
  }

  /// What was changed.
  public enum Action: String, Codable, Sendable {
    /// The image. The format `upright-record/1` calls it `turned`.
    case transformed = "turned"
    /// The tag alone, to 1.
    case reset
    /// The tag alone, as requested.
    case tagged
    /// A sidecar.
    case updated
  }

  package var schema = Self.schema
  /// The program that made the rewrite, with its version.
  public var tool: String
  /// When, in UTC.
  public var date: String
  /// The directory that relative paths start from.
  public var base: RecordedPath
  /// The file that was rewritten, as it was given or found.
  public var path: RecordedPath
  /// Where the result was written, when that is not `path`.
  public var output: RecordedPath?
  /// The file before.
  public var before: Content
  /// The file afterwards.
  public var after: Content
  /// What was changed.
  public var action: Action
  /// The orientation before, 1 to 8.
  public var orientation: Int?
  /// How the image was transformed.
  package var turn: String?
  /// `exact`, `redrawn` or `trimmed`, as the format `upright-record/1` calls them.
  package var edges: String?
  package var trimmed: TrimmedEdges?
  /// How the result was checked before it was used.
  package var verification: String
  /// How many bytes the parts of the file had, and have.
  package var parts: Parts?
  package var changes: [JSONChange]
  /// The undo data; null where the identical file cannot be promised.
  package var undo: PackedUndo

  /// The record of a rewritten image.
  ///
  /// - Parameters:
  ///   - original: The file before.
  ///   - rewrite: What became of it.
  ///   - path: The file.
  ///   - output: Where the result goes, when that is not `path`.
  ///   - place: What all records of a run have in common.
  package init(
    of original: [UInt8],
    _ rewrite: Rewrite,
    path: FilePath,
    output: FilePath?,
    in place: RecordContext
  ) {
    self.init(place, path, output, Content(original), Content(rewrite.bytes))
    changes = rewrite.changes.map(JSONChange.init)
    verification = rewrite.verification.rawValue
    undo = PackedUndo(rewrite.undo)
    orientation = rewrite.plan.image.orientation?.rawValue
    parts = Parts(before: original, after: rewrite.bytes)
    guard case .transform(let transform, let edges) = rewrite.plan.action else {
      action = .reset
      if case .changeTag = rewrite.plan.action { action = .tagged }
      return
    }
    self.turn = transform.rawValue
    switch edges {
    case .lossless: self.edges = "exact"
    case .reencoded: self.edges = "redrawn"
    case .trimmed(let trimmed):
      self.edges = "trimmed"
      self.trimmed = trimmed
    }
  }

  /// The record of a sidecar that follows its image.
  ///
  /// - Parameters:
  ///   - update: What became of it.
  ///   - path: The sidecar.
  ///   - output: Where the result goes, when that is not `path`.
  ///   - place: What all records of a run have in common.
  package init(
    of update: Sidecar.Update,
    path: FilePath,
    output: FilePath?,
    in place: RecordContext
  ) {
    self.init(place, path, output, Content(update.original), Content(update.bytes))
    action = .updated
    changes = update.changes.map(JSONChange.init)
    undo = PackedUndo(update.undo)
    if update.undo != nil { verification = Rewrite.Verification.restored.rawValue }
  }

  private init(
    _ place: RecordContext,
    _ path: FilePath,
    _ output: FilePath?,
    _ before: Content,
    _ after: Content
  ) {
    tool = place.tool
    date = Date.now.formatted(.iso8601)
    base = RecordedPath(place.base)
    self.path = RecordedPath(path)
    self.output = output.map(RecordedPath.init)
    self.before = before
    self.after = after
    action = .transformed
    verification = Rewrite.Verification.none.rawValue
    changes = []
    undo = PackedUndo(nil)
  }

  /// Where the result is: an absolute path, if `base` is one; nil where it went to standard output.
  package var place: FilePath? {
    let result = (output ?? path).path
    return result == StandardStreams.path
      ? nil : base.path.pushing(result).lexicallyNormalized()
  }
}

extension Record {
  /// Whether the paths say which files the record is about, wherever it is read.
  var hasUsablePaths: Bool {
    base.path.isAbsolute && [path, output ?? path].allSatisfy { !$0.path.isEmpty }
  }
}

/// What all records of a run have in common.
package struct RecordContext: Sendable {
  /// The program and its version.
  package var tool: String
  /// The working directory.
  package var base: FilePath

  package init(tool: String, base: FilePath) {
    self.tool = tool
    self.base = base
  }
}
