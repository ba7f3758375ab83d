internal import FileBytes
public import Upright

/// The undo data in a photo itself, which restores the file before its last rewrite without a record.
///
/// A rewriter's `embeddingUndo(inAll:)` puts it there. `docs/record-format.md` defines its form.
public struct EmbeddedUndo: Sendable {
  /// The file before the rewrite.
  public let before: Record.Content
  /// The number of bytes that the undo data takes in the photo.
  package let size: Int
  /// The photo without the undo data.
  private let content: [UInt8]
  /// The SHA-256 that the photo without the undo data had when it was written.
  private let digest: Digest
  private let undo: PackedUndo

  /// The version of the form.
  private static let version = 1

  /// Reads the undo data of a file; nil if it has none.
  ///
  /// - Parameter file: The whole file.
  /// - Throws: `UprightError` of code `malformed` if the undo data is damaged, or the error of a file that cannot be read.
  public init?(_ file: [UInt8]) throws(UprightError) {
    let segments = try UndoSegments(file)
    guard !segments.isEmpty else { return nil }
    guard let data = segments.data, let parts = try? Self.parts(data) else {
      throw UprightError(
        .malformed,
        "the undo data in the file is damaged or requires a newer version of Upright"
      )
    }
    (digest, before, undo) = parts
    size = segments.size
    content = segments.content
  }

  private static func parts(
    _ data: [UInt8]
  ) throws(CompactReader.Failure) -> (Digest, Record.Content, PackedUndo) {
    var reader = CompactReader(data)
    _ = try reader.number(in: version...version)
    let digest = try reader.digest()
    let before = Record.Content(size: try reader.number(), sha256: try reader.digest())
    return (digest, before, PackedUndo(compressed: try reader.content()))
  }

  /// Returns the data in the segments, without padding.
  fileprivate static func data(
    _ undo: UndoRecord,
    _ original: [UInt8],
    _ content: [UInt8]
  ) -> [UInt8] {
    let before = Record.Content(original)
    var writer = CompactWriter()
    writer.write(version)
    writer.write(Digest(of: content).bytes)
    writer.write(before.size)
    writer.write(before.sha256.bytes)
    writer.write(PackedUndo(undo).compressed)
    return writer.bytes
  }

  /// Whether the photo is as it was written, so that the file before can be restored.
  package var isIntact: Bool { Digest(of: content) == digest }

  /// Restores the file before the rewrite.
  ///
  /// - Parameter maxPixels: The maximum number of pixels of an image, as its header gives it.
  /// - Returns: The file, whose size and hash were checked.
  /// - Throws: `UprightError` of code `verification` if the photo was changed, or if the undo data does not restore the
  ///   file.
  public func restoreOriginal(
    maxPixels: Int = Options().maxPixels
  ) throws(UprightError) -> [UInt8] {
    guard isIntact else {
      throw UprightError(.verification, "the file was changed after it was rewritten")
    }
    let file = try undo.record(forResultOf: content.count)
      .restoreOriginal(from: content, maxPixels: maxPixels)
    guard Record.Content(file) == before else {
      throw UprightError(.verification, "the undo data in the file does not restore the original")
    }
    return file
  }

  /// Removes the undo data from a file, which is otherwise unchanged.
  ///
  /// Fill bytes replace the undo data if there is data after the image, so that this does not move.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The file without undo data, or nil if it has none.
  /// - Throws: `UprightError` if the file is damaged.
  public static func removed(from file: [UInt8]) throws(UprightError) -> [UInt8]? {
    guard exists(in: file) else { return nil }
    return try UndoSegments(file).removed
  }

  /// Returns whether a file has undo data; only its header is read.
  package static func exists(in file: [UInt8]) -> Bool { UndoSegments.exist(in: file) }
}

extension CompactReader {
  fileprivate mutating func digest() throws(Failure) -> Digest {
    let bytes = try content()
    guard bytes.count == 32 else { throw Failure(offset: 0) }
    return Digest(bytes: bytes)
  }
}

extension Restoration {
  /// Restores the original of a file from the undo data in it, through all rewrites.
  ///
  /// The file before a rewrite has the undo data of the rewrite before that.
  ///
  /// At most `maxSteps` rewrites are undone, or all until the file `requested`.
  ///
  /// - Throws: `UprightError` if the undo data is damaged or wrong.
  package init(
    embeddedIn file: [UInt8],
    maxPixels: Int,
    maxSteps: Int = .max,
    until requested: [UInt8]? = nil
  ) throws(UprightError) {
    guard EmbeddedUndo.exists(in: file), var undo = try EmbeddedUndo(file) else {
      self = .noRecord
      return
    }
    guard undo.isIntact else {
      self = .changedSince
      return
    }
    // Each step can be larger than the one before it, so all have the limit of the first.
    let limit = UndoRecord.maxBytes(forResultOf: file.count)
    var original = file
    for _ in 0..<min(maxSteps, RewriteHistory.maxRewrites) {
      guard undo.before.size <= limit else {
        throw UprightError(.limit, "the undo data in the file restores too large a file")
      }
      original = try undo.restoreOriginal(maxPixels: maxPixels)
      if original == requested { break }
      // A file that another program changed between two rewrites is the first that can be restored.
      guard let next = try? EmbeddedUndo(original), next.isIntact else { break }
      undo = next
    }
    self = .restored(original)
  }
}

extension Rewriter {
  /// Returns the rewriter whose results hold their undo data.
  ///
  /// It replaces that of an earlier rewrite, to which it leads. Results that cannot hold it have a note: other formats than
  /// JPEG, those with too large data, and those in which data after the image would move and must not.
  ///
  /// - Parameter inAll: Whether all results get it, or only those of files that hold some.
  /// - Returns: The rewriter.
  public func embeddingUndo(inAll: Bool = true) -> Rewriter {
    var rewriter = self
    rewriter.embedding = UndoEmbedding(isForAll: inAll, data: EmbeddedUndo.data)
    return rewriter
  }
}

extension Rewrite {
  /// Whether the result holds its undo data.
  package var holdsUndoData: Bool {
    changes.contains { $0.field == .undoData && !$0.replacement.isEmpty }
  }
}
