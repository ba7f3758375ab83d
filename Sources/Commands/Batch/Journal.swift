internal import FileSystem
internal import Reports
internal import SystemPackage

/// A file that lists the finished files of a batch, so that an interrupted run can be resumed.
///
/// Each line has the status of a file, its size and modification time after the work, and its path. A file that
/// changed since is processed again, and so is one that failed or was skipped, unless it failed only because the
/// disk did not confirm the new content. Lines are not synced: if a crash loses one, its file is processed again.
/// That is harmless for idempotent operations such as normalize; rotate and flip may be applied twice.
final class Journal: Sendable {
  /// The journal's entry for a file; the path is kept as a hash.
  private struct Entry: Sendable {
    var size: Int
    var time: Timestamp
  }

  private static let heading = Array("upright-journal/1\n".utf8)
  /// The status of a file that counts as failed although it was replaced.
  private static let unconfirmed = FileError.Problem.unconfirmed.rawValue

  /// The maximum length of a line: four fields, and a path with every byte escaped.
  private static let maxLineLength = 256 + 2 * PathList.maxPathLength

  private let done: [UInt64: Entry]
  private let file: AppendedFile

  /// Opens a journal, or creates it.
  ///
  /// - Throws: ``FileError``, also if the file is not a journal.
  init(_ path: FilePath) throws(FileError) {
    var done: [UInt64: Entry] = [:]
    let file = try AppendedFile(path, beginning: Self.heading, writesBeginning: true)
    for line in Lines(path, limit: Self.maxLineLength) {
      let line = try line.get()
      guard line.isWhole, let (hash, entry) = Self.entry(line.bytes) else { continue }
      done[hash] = entry
    }
    self.done = done
    self.file = file
  }

  /// Whether an earlier run has finished a file that has not changed since.
  ///
  /// - Throws: ``FileError``, if that cannot be determined; the file must not be processed then.
  func isDone(_ path: FilePath) throws(FileError) -> Bool {
    guard let entry = done[Shard.hash(path.bytes)] else { return false }
    let identity = try FileIdentity(of: path)
    return identity.size == entry.size && identity.modificationTime == entry.time
  }

  /// Appends the result of a file.
  ///
  /// - Throws: ``FileError``.
  func note(_ report: FileReport, of path: FilePath) throws(FileError) {
    let identity: FileIdentity
    do throws(FileError) {
      identity = try FileIdentity(of: path)
    } catch {
      // A file that no longer exists need not be listed.
      if error.problem == .notFound { return }
      throw error
    }
    let time = identity.modificationTime
    let word = report.isUnconfirmed ? Self.unconfirmed : report.status.rawValue
    let fields = "\(word)\t\(identity.size)\t\(time.seconds)\t\(time.nanoseconds)\t"
    // A path may contain any byte except NUL, so line feeds are escaped.
    var line = Array(fields.utf8)
    for byte in path.bytes {
      switch byte {
      case UInt8(ascii: "\n"): line += Array("\\n".utf8)
      case UInt8(ascii: "\\"): line += Array("\\\\".utf8)
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\n"))
    try file.append(line, waits: false)
  }

  private static func entry(_ line: [UInt8]) -> (UInt64, Entry)? {
    let fields = line.split(
      separator: UInt8(ascii: "\t"),
      maxSplits: 4,
      omittingEmptySubsequences: false
    )
    guard fields.count == 5 else { return nil }
    let words = fields[..<4].map { String(decoding: $0, as: UTF8.self) }
    guard words[0] == unconfirmed || Status(rawValue: words[0])?.isSettled == true,
      let size = Int(words[1]),
      let seconds = Int64(words[2]), let nanoseconds = Int64(words[3])
    else { return nil }
    var path: [UInt8] = []
    var isEscaped = false
    for byte in fields[4] {
      if isEscaped {
        path.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        path.append(byte)
      }
    }
    let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    return (Shard.hash(path), Entry(size: size, time: time))
  }
}
