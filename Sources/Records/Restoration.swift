internal import FileSystem
package import SystemPackage
internal import Upright

/// The result of looking up and restoring the original of a file.
public enum Restoration: Hashable, Sendable {
  /// The original, whose hash was checked.
  case restored([UInt8])
  /// The file is already the original.
  case isOriginal
  /// There is no record of this file.
  case noRecord
  /// The file was changed after it was rewritten, or is a different file.
  case changedSince
  /// The record has no undo data, because the original could not be restored when the file was rewritten.
  case noUndoData
  /// The records lead to several originals, or the file may have come from another place where it was rewritten.
  case severalOriginals
}

extension RecordIndex {
  /// The error that the record file changed while it was read.
  package struct Changed: Error {}

  /// Restores the original of a file, through all rewrites in the records.
  ///
  /// `check` is called with the records before the original is restored from them, and may throw. `content` gives what
  /// is at the place of a record now.
  package func restoration(
    of file: [UInt8],
    at place: FilePath,
    maxPixels: Int,
    maxSteps: Int = .max,
    content: (FilePath) -> PlaceContent,
    check: ([Entry]) throws -> Void = { _ in }
  ) throws -> Restoration {
    let way: [Entry]
    do throws(RewriteHistory.Ambiguity) {
      switch try history.way(from: Digest(of: file), at: place, maxSteps: maxSteps, content) {
      case .unknown: return history.hasRecord(at: place) ? .changedSince : .noRecord
      case .original: return .isOriginal
      case .rewritten(let records): way = records.map { entries[$0] }
      }
    } catch { return .severalOriginals }
    try check(way)
    var original = file
    for entry in way {
      guard let record = try record(entry) else { throw Changed() }
      guard record.after.size == original.count else {
        throw UprightError(
          .verification,
          "the record in line \(entry.line) gives another size of the result"
        )
      }
      guard let restored = try record.original(from: original, maxPixels: maxPixels) else {
        return .noUndoData
      }
      guard record.before == Record.Content(restored) else {
        throw UprightError(
          .verification,
          "the record in line \(entry.line) does not restore the original"
        )
      }
      original = restored
    }
    return .restored(original)
  }
}

extension PlaceContent {
  /// Looks at a place for a file, beside the one that is at `path`.
  package init(of place: FilePath, beside path: FilePath) {
    do throws(FileError) {
      let reader = try FileReader(place)
      if let identity = try? FileIdentity(of: path), identity.key == reader.identity.key {
        self = .sameFile
      } else {
        self = .file(try Digest(of: reader))
      }
    } catch {
      let unreadable: [FileError.Problem] = [
        .permissionDenied, .inputOutput, .deviceGone, .changed, .system,
      ]
      self = unreadable.contains(error.problem) ? .unreadable : .nothing
    }
  }
}

extension Record {
  /// Applies the undo data to a file; only the hash of the result proves that it is the original.
  ///
  /// - Returns: The file, or nil if the record has no undo data.
  func original(from result: [UInt8], maxPixels: Int) throws(UprightError) -> [UInt8]? {
    guard let undo = try undo?.record(forResultOf: result.count) else { return nil }
    return try undo.restoreOriginal(from: result, maxPixels: maxPixels)
  }
}
