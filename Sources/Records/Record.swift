package import FileSystem
internal import ImageOrientation
internal import Reports
package import SystemPackage
package import Upright

/// The record of one rewrite: the file, the operation and the undo data (`docs/records.md`).
public struct Record: Hashable, Sendable {
  /// The version of the format.
  package static let schema = "upright-record/1"

  /// The size and hash of a file.
  public struct Content: Hashable, Sendable {
    /// The size in bytes.
    public var size: Int
    /// Its SHA-256.
    public var sha256: Digest

    /// Computes size and hash of some bytes.
    public init(_ bytes: [UInt8]) {
      self.init(size: bytes.count, sha256: Digest(of: bytes))
    }

    init(size: Int, sha256: Digest) { (self.size, self.sha256) = (size, sha256) }
  }

  /// Orientation and dimensions of the primary image of a file.
  public struct Image: Hashable, Sendable {
    /// The Orientation, 1 to 8; nil if the file has none.
    public var orientation: Int?
    /// The stored width in pixels.
    public var width: Int
    /// The stored height in pixels.
    public var height: Int
  }

  /// The kinds of rewrites.
  public enum Action: String, Sendable {
    /// The image was transformed.
    case transformed
    /// Only Orientation was changed, to 1.
    case reset
    /// Only Orientation was changed, to a requested value or removed.
    case tagged
    /// A sidecar was updated.
    case updated
    /// The line names no action that this version knows.
    case other
  }

  /// The re-encoding of components of the primary image, and its distortion as far as it was measured.
  public struct Reencoding: Hashable, Sendable {
    /// The indices of the re-encoded components, in the order of the frame; the others are lossless.
    public var components: [Int]
    /// The peak signal-to-noise ratio of the displayed colors in decibels, to hundredths.
    public var psnr: Double?
    /// The largest difference of two displayed values in the lines that were measured, 0 to 255.
    public var largestError: Int?
    /// The number of coefficients of the original in the undo data.
    package var exceptions: Int?
  }

  /// The program that made the rewrite, with its version.
  public var tool: String
  /// The time of the rewrite, in UTC.
  public var date: String
  /// The kind of the rewrite.
  public var action: Action
  /// The transform of the stored image.
  package var transform: String?
  /// The re-encoding; nil if every coefficient of the primary image was kept.
  public var reencoded: Reencoding?
  package var trimmed: TrimmedEdges?
  /// The absolute path of the file that was rewritten; `-` is standard input.
  public var path: RecordedPath
  /// The absolute path of the result, if it is not `path`; `-` is standard output.
  public var output: RecordedPath?
  /// The base that the paths refer to, if its line is missing; the paths are relative then.
  package var missingBase: String?
  /// The file before the rewrite.
  public var before: Content
  /// The file after the rewrite.
  public var after: Content
  /// The modification time of the file before the rewrite, if it is known.
  package var modified: Timestamp?
  /// The primary image before the rewrite.
  public var imageBefore: Image?
  /// The primary image after the rewrite.
  public var imageAfter: Image?
  /// The undo data; nil if the original cannot be restored byte for byte.
  package var undo: PackedUndo?
}

extension Record {
  /// Creates the record of a rewritten image.
  package init(
    of original: [UInt8],
    _ rewrite: Rewrite,
    path: FilePath,
    output: FilePath?,
    modified: Timestamp? = nil,
    in place: RecordContext
  ) {
    self.init(place, path, output, Content(original), Content(rewrite.bytes))
    self.modified = modified
    undo = rewrite.undo.map(PackedUndo.init)
    imageBefore = Image(rewrite.plan.image)
    imageAfter = Image(rewrite.image)
    guard case .transform(let transform, let edges) = rewrite.plan.action else {
      action = .reset
      if case .changeTag = rewrite.plan.action { action = .tagged }
      return
    }
    self.transform = transform.rawValue
    switch edges {
    case .lossless: break
    case .reencoded(let kept, let count):
      reencoded = Reencoding(
        components: (0..<count).filter { !kept.contains($0) },
        psnr: rewrite.redraw.flatMap { Hundredths($0.psnr) }.map { Double($0.count) / 100 },
        largestError: rewrite.redraw?.largestError,
        exceptions: rewrite.redraw?.exceptions
      )
    case .trimmed(let trimmed): self.trimmed = trimmed
    }
  }

  /// Creates the record of a sidecar that is updated with its image.
  package init(
    of update: Sidecar.Update,
    path: FilePath,
    output: FilePath?,
    modified: Timestamp? = nil,
    in place: RecordContext
  ) {
    self.init(place, path, output, Content(update.original), Content(update.bytes))
    self.modified = modified
    action = .updated
    undo = update.undo.map(PackedUndo.init)
  }

  private init(
    _ place: RecordContext,
    _ path: FilePath,
    _ output: FilePath?,
    _ before: Content,
    _ after: Content
  ) {
    self.init(
      tool: place.tool,
      date: Syscalls.date(),
      action: .transformed,
      path: RecordedPath(path).resolved(in: place.base),
      output: output.map { RecordedPath($0).resolved(in: place.base) },
      before: before,
      after: after
    )
  }

  /// The absolute path of the result; nil if it was written to standard output, or if the base is missing.
  package var place: FilePath? { (output ?? path).place }

  /// The absolute path of the file before the rewrite; nil if it was standard input, or if the base is missing.
  package var origin: FilePath? { path.place }

  /// The place of the result, to compare it with others: its absolute path, or if its base is missing, the name of the
  /// base and the relative path; nil if it was written to standard output.
  var resultKey: FilePath? { key(output ?? path) }

  /// The place of the file before the rewrite, to compare it with others.
  var originKey: FilePath? { key(path) }

  private func key(_ path: RecordedPath) -> FilePath? {
    if path.path == StandardStreams.path { return nil }
    guard let missingBase, !path.path.isAbsolute else { return path.place }
    return FilePath("?\(missingBase)").appending(path.path.lexicallyNormalized().components)
  }

  /// The time of the rewrite, as a number that grows with it; 0 if it is not written as `2026-01-31T23:59:59Z`.
  var order: Int {
    let form = Array("0000-00-00T00:00:00Z".utf8)
    let date = Array(date.utf8)
    guard date.count == form.count else { return 0 }
    var number = 0
    for (byte, expected) in zip(date, form) {
      if expected == UInt8(ascii: "0") {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return 0 }
        number = 10 * number + Int(byte - UInt8(ascii: "0"))
      } else if byte != expected {
        return 0
      }
    }
    return number
  }
}

extension Record.Image {
  fileprivate init(_ image: ImageInfo) {
    self.init(
      orientation: image.orientation?.rawValue,
      width: image.size.width,
      height: image.size.height
    )
  }
}

extension RecordedPath {
  /// Returns the absolute path, without `.` and `..`; standard input and output are kept.
  func resolved(in base: FilePath) -> RecordedPath {
    path == StandardStreams.path ? self : RecordedPath(base.pushing(path).lexicallyNormalized())
  }

  /// The path, if it is absolute.
  fileprivate var place: FilePath? { path.isAbsolute ? path : nil }
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
