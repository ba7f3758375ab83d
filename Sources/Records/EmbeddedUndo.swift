internal import JPEGCore
public import Upright

/// The undo data in a photo itself, which restores the file before its last rewrite without a record.
///
/// `embeddingUndo(of:)` of a `Rewrite` puts it there. `docs/record-format.md` defines its form.
public struct EmbeddedUndo: Sendable {
  /// The file before the rewrite.
  public let before: Record.Content
  /// The number of bytes that the undo data takes in the photo.
  public let size: Int
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
    _ before: Record.Content,
    _ content: Digest
  ) -> [UInt8] {
    var writer = CompactWriter()
    writer.write(version)
    writer.write(content.bytes)
    writer.write(before.size)
    writer.write(before.sha256.bytes)
    writer.write(PackedUndo(undo).compressed)
    return writer.bytes
  }

  /// Whether the photo is as it was written, so that the file before can be restored.
  public var isIntact: Bool { Digest(of: content) == digest }

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
    let segments = try UndoSegments(file)
    return segments.edits(insertingLater: 0, fill: 0)?.edits.applied(to: file)
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
    for _ in 0..<min(maxSteps, Self.maxRewrites) {
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

  /// The maximum number of rewrites of a file that are undone.
  private static let maxRewrites = 1000
}

extension Rewrite {
  /// Returns the rewrite with its undo data in the result; it replaces that of an earlier rewrite, to which it leads.
  ///
  /// - Parameter original: The original file.
  /// - Returns: The rewrite, or nil if there is no undo data, if that is too large, or if data after the image would move
  ///   and must not.
  /// - Throws: `UprightError` if the result cannot be read.
  public func embeddingUndo(of original: [UInt8]) throws(UprightError) -> Rewrite? {
    guard let undo, bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    let segments = try UndoSegments(bytes)
    guard let place = segments.place else { return nil }
    let before = Record.Content(original)
    // The undo data depends on its own size if offsets change because of it. Padding makes it as large as assumed.
    var count = EmbeddedUndo.data(undo, before, before.sha256).count
    for _ in 0..<8 {
      guard let size = UndoSegments.bytes(of: [UInt8](repeating: 0, count: count))?.count,
        let (edits, shift) = segments.edits(insertingLater: size, fill: fill),
        let bare = edited(by: edits), let bareUndo = bare.undo
      else { return nil }
      let data = EmbeddedUndo.data(bareUndo, before, Digest(of: bare.bytes))
      guard data.count <= count else {
        count = data.count
        continue
      }
      let padding = [UInt8](repeating: 0, count: count - data.count)
      let start = edits.position(of: place)
      guard let new = UndoSegments.bytes(of: data + padding),
        var rewrite = bare.edited(by: [
          Edit(start..<start, with: new, field: Edit.Field("undo-data", new: "\(size) bytes"))
        ]),
        let embedded = try EmbeddedUndo(rewrite.bytes), embedded.isIntact
      else { return nil }
      // Without such edits, the original was restored from these bytes already.
      if !edits.isEmpty {
        guard try embedded.restoreOriginal(maxPixels: .max) == original else { return nil }
      }
      if shift != 0 {
        rewrite.plan.notes.append(
          Note(
            .dataMoved,
            "the undo data moves the data after the image by \(shift) bytes;"
              + " offsets in MakerNotes may point to it"
          )
        )
      }
      return rewrite
    }
    return nil
  }

  /// Returns the rewrite without the undo data of an earlier rewrite; nil if that cannot be removed.
  ///
  /// - Throws: `UprightError` if the result cannot be read.
  package func removingUndoData() throws(UprightError) -> Rewrite? {
    guard let (edits, _) = try UndoSegments(bytes).edits(insertingLater: 0, fill: fill) else {
      return nil
    }
    return edited(by: edits)
  }

  /// Whether the result holds its undo data.
  package var holdsUndoData: Bool {
    changes.contains { $0.field == .undoData && !$0.replacement.isEmpty }
  }

  /// The number of fill bytes that the rewrite has inserted before EOI.
  private var fill: Int { changes.last { $0.field.rawValue == "fill" }?.replacement.count ?? 0 }
}
