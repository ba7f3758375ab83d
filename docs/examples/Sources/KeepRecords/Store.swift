import Foundation
import Records
import Upright

/// A photo in an object store, with its record.
struct StoredPhoto {
  var photo: [UInt8]
  var record: [UInt8]?

  /// Normalizes an upload, but only if the original can be restored.
  init(upload: [UInt8], name: String) throws {
    var options = Options()
    options.requiresUndo = true
    switch try Rewriter(options: options).rewrite(upload) {
    case .unchanged, .skipped: (photo, record) = (upload, nil)
    case .rewritten(let rewrite):
      let record = Record(
        of: upload,
        rewrite,
        path: RecordedPath(name),
        base: "/photos",
        tool: "intake 1.0"
      )
      (photo, self.record) = (rewrite.bytes, record.line)
    }
  }

  /// Returns the identical upload.
  func original() throws -> [UInt8] {
    guard let record else { return photo }
    return try Record(line: record).restoreOriginal(from: photo)
  }
}
