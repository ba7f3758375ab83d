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

/// The record of one rewrite: the file, the operation and the undo data (`docs/records.md`).
public struct Record: Codable, Hashable, Sendable {
  /// The version of the format.
  public static let schema = "upright-record/1"

  /// The size and hash of a file.
  public struct Content: Codable, Hashable, Sendable {
    /// The size in bytes.
    public var size: Int
    /// Its SHA-256.
    public var sha256: Digest

    /// Computes size and hash of some bytes.
    public init(_ bytes: [UInt8]) {
      size = bytes.count
      sha256 = Digest(of: bytes)
    }
  }

  /// The kinds of rewrites.
  public enum Action: String, Codable, Sendable {
    /// The image was transformed; `upright-record/1` calls it `turned`.
    case transformed = "turned"
    /// Only the tag was changed, to 1.
    case reset
    /// Only the tag was changed, to a requested value or removed.
    case tagged
    /// A sidecar was updated.
    case updated
  }

  package var schema = Self.schema
  /// The program that made the rewrite, with its version.
  public var tool: String
  /// The time of the rewrite, in UTC.
  public var date: String
  /// The directory that relative paths start from.
  public var base: RecordedPath
  /// The file that was rewritten, as it was named or found.
  public var path: RecordedPath
  /// The path of the result, if it is not `path`.
  public var output: RecordedPath?
  /// The file before the rewrite.
  public var before: Content
  /// The file after the rewrite.
  public var after: Content
  /// The kind of the rewrite.
  public var action: Action
  /// The orientation before, 1 to 8.
  public var orientation: Int?
  /// The transform of the image.
  package var turn: String?
  /// The treatment of the edges, as `upright-record/1` calls it: `exact`, `redrawn` or `trimmed`.
  package var edges: String?
  package var trimmed: TrimmedEdges?
  /// How the result was checked before it was written.
  package var verification: String
  /// The sizes of the parts of the file.
  package var parts: Parts?
  package var changes: [JSONChange]
  /// The undo data; null if the original cannot be restored byte for byte.
  package var undo: PackedUndo

  /// Creates the record of a rewritten image.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - rewrite: The result.
  ///   - path: The path of the file.
  ///   - output: The path of the result, if it is not `path`.
  ///   - place: The part that all records of a run share.
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

  /// Creates the record of a sidecar that is updated with its image.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - path: The path of the sidecar.
  ///   - output: The path of the result, if it is not `path`.
  ///   - place: The part that all records of a run share.
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

  /// The path of the result, absolute if `base` is; nil if it was written to standard output.
  package var place: FilePath? {
    let result = (output ?? path).path
    return result == StandardStreams.path
      ? nil : base.path.pushing(result).lexicallyNormalized()
  }
}

extension Record {
  /// Whether the paths identify the files independently of the working directory.
  var hasUsablePaths: Bool {
    base.path.isAbsolute && [path, output ?? path].allSatisfy { !$0.path.isEmpty }
  }
}

/// The part that all records of a run share.
package struct RecordContext: Sendable {
  /// The program with its version.
  package var tool: String
  /// The working directory.
  package var base: FilePath

  package init(tool: String, base: FilePath) {
    self.tool = tool
    self.base = base
  }
}
