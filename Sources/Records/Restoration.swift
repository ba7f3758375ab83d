package import SystemPackage
internal import Upright

/// What the records say of a file.
public enum Restoration: Hashable, Sendable {
  /// The original, whose hash was checked.
  case restored([UInt8])
  /// The file is the original already.
  case isOriginal
  /// No record is of this file.
  case noRecord
  /// The file is not as the rewrite left it: it was changed since, or is another one.
  case changedSince
  /// The record has no undo data, because the identical file could not be restored when it was rewritten.
  case noUndoData
  /// Different originals have become this very file, and none of their records is of its path.
  case severalOriginals
}

extension RecordIndex {
  /// That the file of records was changed while it was read.
  package struct Changed: Error {}

  /// Restores the original of a file, through all rewrites that the records have.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - place: Its absolute path, which decides where records of several files would fit.
  ///   - maxPixels: The most pixels that an image may claim to have.
  /// - Returns: The original, or why there is none.
  /// - Throws: ``FileError``, ``UprightError`` or ``Changed``.
  package func restoration(
    of file: [UInt8],
    at place: FilePath,
    maxPixels: Int
  ) throws -> Restoration {
    let digest = Digest(of: file)
    let way: [Entry]
    do throws(Ambiguity) {
      way = try undo(from: digest, at: place)
    } catch { return .severalOriginals }
    guard !way.isEmpty else {
      if isOriginal(digest) { return .isOriginal }
      return hasRecord(at: place) ? .changedSince : .noRecord
    }
    var original = file
    for entry in way {
      guard let record = try record(entry) else { throw Changed() }
      guard let restored = try record.original(from: original, maxPixels: maxPixels) else {
        return .noUndoData
      }
      guard record.before == Record.Content(restored) else {
        throw UprightError(
          .verification,
          "what the record of line \(entry.line) restores is not the original"
        )
      }
      original = restored
    }
    return .restored(original)
  }
}

extension Record {
  /// What the undo data makes of a file, which nothing but its hash proves to be the original.
  ///
  /// - Returns: The file; nil where the record has no undo data.
  func original(from result: [UInt8], maxPixels: Int) throws(UprightError) -> [UInt8]? {
    guard let undo = try undo.record(forResultOf: result.count) else { return nil }
    return try undo.restoreOriginal(from: result, maxPixels: maxPixels)
  }
}
