internal import Reports
internal import Upright

extension FileReport {
  /// What an undo did with a file.
  struct Undo: Sendable {
    /// What became of the file, or will.
    enum Disposition: Sendable {
      /// The original is back, or is where it was to be written.
      case restored
      /// It would come back; nothing was written.
      case restorable
      /// Nothing needs to be done.
      case unchanged(Reason)
      /// The file is skipped.
      case skipped(Reason)
    }

    var disposition: Disposition
    /// The sizes before and after, and the hash of the original, where it came back or would.
    var original: (oldSize: Int, size: Int, sha256: String)?

    var status: Status {
      switch disposition {
      case .restored: .restored
      case .restorable: .restorable
      case .unchanged: .unchanged
      case .skipped: .skipped
      }
    }

    /// Why nothing was restored.
    var reason: Reason? {
      switch disposition {
      case .unchanged(let reason), .skipped(let reason): reason
      case .restored, .restorable: nil
      }
    }
  }
}

extension Reason {
  static let original = Reason(Code(rawValue: "original"), "the file is the original already")

  static let noRecord = Reason(Code(rawValue: "no-record"), "there is no record of this file")

  static let changedSince = Reason(
    Code(rawValue: "changed-since"),
    "the file is not as the rewrite left it: it was changed since, or is another one"
  )

  static let noUndoData = Reason(
    Code(rawValue: "no-undo-data"),
    "the record has no undo data, for the identical file could not be restored when it was rewritten"
  )

  static let severalOriginals = Reason(
    Code(rawValue: "several-originals"),
    "different originals have become this very file; undo it where it was rewritten"
  )
}
