package import FileSystem
package import Records
package import Reports
package import SystemPackage
internal import Upright

/// A file that lists the finished files of a batch, so that an interrupted run can be resumed.
///
/// Each line has the status of a file, its size, its times and the hash of its content after the work, and its path. A
/// file with other times has its content compared, because a copy or a backup has others, and an undo may restore size
/// and modification time. One that changed since is processed again, and so is one that failed or was skipped, unless it
/// failed only because the disk did not confirm the new content. Of one whose sidecar could not be updated, only that is
/// completed. An output elsewhere has a line of its own, and is made again if it is missing or changed since.
///
/// These lines are not synced: if a crash loses one, its file is looked at again. That is harmless for a normalization, which
/// finds it upright. Of other works, which would be done twice, the hash of the result is on the disk before it replaces the
/// file, so that a later run recognizes a file that was replaced.
package final class Journal: Sendable {
  /// The journal's entry for a file; the path is kept as a hash.
  private struct Entry: Sendable {
    var status: Status?
    var size: Int
    /// The modification time; nil if the work was only announced.
    var time: Timestamp?
    /// The time of the last change of the file or its status; nil in lines of earlier versions.
    var changeTime: Timestamp?
    /// The content, if the work wrote it.
    var digest: Digest?
    /// What the command did with the file; nil for a normalization.
    var task: String?
    /// Whether a sidecar could not be updated with the file.
    var lacksSidecar = false
    /// Whether the work was only announced.
    var isBegun = false

    /// Whether only a copy elsewhere was made, and the file is as it was.
    var isOfCopy: Bool {
      changeTime != nil && digest == nil && status.map { !$0.isUnchanged } == true
    }

    /// Whether the work may be repeated on its result without changing it.
    var isRepeatable: Bool {
      switch status {
      // With the content of an earlier run, only sidecars were completed.
      case .alreadyUpright, .unchanged: digest == nil || task == nil
      // A rotation may end with a change of the tag alone.
      case .normalized, .reset: task == nil
      case nil: lacksSidecar && task == nil
      default: false
      }
    }
  }

  /// What a journal knows about a file.
  package enum Finding: Hashable, Sendable {
    /// No run has finished it, or it changed since.
    case open
    /// An earlier run has finished it, with this result if the journal says so.
    case done(Status?)
    /// An earlier run has finished it, but not its sidecars; with the hash of its content.
    case lacksSidecar(Digest?)
    /// An earlier run has replaced it, with this content, and was killed before it could say more.
    case begun(Digest?)
    /// An earlier run has done another work on it.
    case doneDifferently(String)
  }

  private static let heading = Array("upright-journal/1\n".utf8)
  /// The status of a file that counts as failed although it was replaced.
  private static let unconfirmed = FileError.Problem.unconfirmed.rawValue
  /// The status of a file that was replaced without one of its sidecars.
  private static let lacksSidecar = "lacks-sidecar"

  /// The first field of lines with all fields; the first one of earlier lines is the status.
  private static let version = "2"
  /// The first field of lines of outputs elsewhere, which are otherwise the same.
  private static let outputVersion = "output"
  /// The first field of lines that announce a work, which earlier versions ignore.
  private static let announcement = "begun"
  private static let none = "-"

  /// The maximum length of a line: the fields, and a path with every byte escaped.
  private static let maxLineLength = 256 + 2 * PathList.maxPathLength

  private let done: [UInt64: Entry]
  private let outputs: [UInt64: Entry]
  /// The works that were announced, and of which no line says that they are done.
  private let begun: [UInt64: Entry]
  private let file: AppendedFile

  /// Opens a journal, or creates it.
  ///
  /// - Throws: ``FileError``, also if the file is not a journal.
  package init(_ path: FilePath) throws(FileError) {
    var (done, outputs, begun) = ([UInt64: Entry](), [UInt64: Entry](), [UInt64: Entry]())
    let file = try AppendedFile(path, beginning: Self.heading, writesBeginning: true)
    for line in Lines(path, limit: Self.maxLineLength) {
      let line = try line.get()
      guard line.isWhole, let (hash, entry) = Self.entry(line.bytes) else { continue }
      if line.bytes.starts(with: Self.outputVersion.utf8) {
        outputs[hash] = entry
      } else if line.bytes.starts(with: Self.announcement.utf8) {
        begun[hash] = entry
      } else {
        done[hash] = entry
        if begun[hash]?.digest == entry.digest { begun[hash] = nil }
      }
    }
    (self.done, self.outputs, self.begun, self.file) = (done, outputs, begun, file)
  }

  /// Returns whether an earlier run has finished a file that has not changed since.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - task: What the command does with the file, such as a rotation; nil for a normalization.
  ///   - results: Its output and the sidecars that this may have, if it is not replaced in place.
  /// - Returns: What is known about it.
  /// - Throws: ``FileError``, if that cannot be determined; the file must not be processed then.
  package func finding(
    on path: FilePath,
    task: String?,
    results: @autoclosure () throws(FileError) -> [FilePath]
  ) throws(FileError) -> Finding {
    guard let entry = try entry(on: path) else { return .open }
    guard entry.task != task else {
      let paths = try results()
      let isDone =
        (paths.first.map(isPresent) ?? !entry.isOfCopy)
        // Programs edit sidecars.
        && paths.dropFirst().allSatisfy { outputs[Shard.hash($0.bytes)] == nil || $0.status != nil }
      guard isDone else { return .open }
      guard entry.lacksSidecar, paths.isEmpty else { return .done(entry.status) }
      return entry.isBegun ? .begun(entry.digest) : .lacksSidecar(entry.digest)
    }
    if entry.isRepeatable { return .open }
    // Earlier versions wrote only angles of a list.
    return entry.task.map { .doneDifferently($0) } ?? .done(entry.status)
  }

  /// Returns the entry of a file that is as a run has left it, also if the run was killed before it could say so.
  private func entry(on path: FilePath) throws(FileError) -> Entry? {
    let hash = Shard.hash(path.bytes)
    if let entry = done[hash], try isUnchanged(path, since: entry) { return entry }
    if let entry = begun[hash], try isUnchanged(path, since: entry) { return entry }
    return nil
  }

  /// Whether an output is as the work left it; earlier versions listed none.
  private func isPresent(_ output: FilePath) -> Bool {
    guard let entry = outputs[Shard.hash(output.bytes)] else { return output.status != nil }
    return (try? isUnchanged(output, since: entry)) == true
  }

  private func isUnchanged(_ path: FilePath, since entry: Entry) throws(FileError) -> Bool {
    let file = try FileReader(path)
    let identity = file.identity
    guard identity.size == entry.size else { return false }
    let hasTime = identity.modificationTime == entry.time
    if hasTime, identity.changeTime == entry.changeTime { return true }
    if let digest = entry.digest { return try Digest(of: file) == digest }
    return hasTime && !entry.isRepeatable
  }

  /// Appends what will replace a file, and waits until that is on the disk.
  ///
  /// - Parameters:
  ///   - result: The new content.
  ///   - path: The file.
  ///   - task: What the command does with the file.
  /// - Throws: ``FileError``; the file must not be replaced then.
  package func announce(_ result: [UInt8], of path: FilePath, task: String) throws(FileError) {
    let digest = Digest(of: result).hexadecimal
    try append([Self.announcement, "\(result.count)", digest, task], path, waits: true)
  }

  /// Appends the result of a file.
  ///
  /// - Parameters:
  ///   - report: The result.
  ///   - path: The file.
  ///   - task: What the command does with the file; nil for a normalization.
  ///   - former: The hash of the content, if an earlier run wrote it.
  /// - Throws: ``FileError``.
  package func note(
    _ report: FileReport,
    of path: FilePath,
    task: String?,
    former: Digest? = nil
  ) throws(FileError) {
    let digest = report.rewrite.map { Digest(of: $0.bytes) } ?? former
    if let output = report.output {
      let companions = report.companions.compactMap { companion in
        companion.output.flatMap { output in companion.written.map { (output, $0) } }
      }
      for (path, digest) in [(output, digest)] + companions {
        try append(Self.outputVersion, report, path, digest, task)
      }
      try append(Self.version, report, path, nil, task)
    } else {
      try append(Self.version, report, path, digest, task)
    }
  }

  /// Appends a line on a file, with the hash of its content if the work wrote it.
  private func append(
    _ version: String,
    _ report: FileReport,
    _ path: FilePath,
    _ digest: Digest?,
    _ task: String?
  ) throws(FileError) {
    let identity: FileIdentity
    do throws(FileError) {
      identity = try FileIdentity(of: path)
    } catch {
      // A file that no longer exists need not be listed.
      if error.problem == .notFound { return }
      throw error
    }
    let (time, change) = (identity.modificationTime, identity.changeTime)
    let status =
      report.status != .failed && report.companionFailed
      ? Self.lacksSidecar : report.isUnconfirmed ? Self.unconfirmed : report.status.rawValue
    let fields = [
      version, status, "\(identity.size)", "\(time.seconds)", "\(time.nanoseconds)",
      "\(change.seconds)", "\(change.nanoseconds)", digest?.hexadecimal ?? Self.none,
      task ?? Self.none,
    ]
    try append(fields, path, waits: false)
  }

  /// Appends a line of fields and a path.
  private func append(_ fields: [String], _ path: FilePath, waits: Bool) throws(FileError) {
    var line = fields.flatMap { Array($0.utf8) + [Self.tab] }
    // A path may contain any byte except NUL, so line feeds are escaped.
    for byte in path.bytes {
      switch byte {
      case UInt8(ascii: "\n"): line += Array("\\n".utf8)
      case UInt8(ascii: "\\"): line += Array("\\\\".utf8)
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\n"))
    try file.append(line, waits: waits)
  }

  private static let tab = UInt8(ascii: "\t")

  private static func entry(_ line: [UInt8]) -> (UInt64, Entry)? {
    let isFull = [version, outputVersion].contains { line.starts(with: ($0 + "\t").utf8) }
    let count = isFull ? 9 : 4
    let fields = line.split(separator: tab, maxSplits: count, omittingEmptySubsequences: false)
    guard fields.count == count + 1 else { return nil }
    if line.starts(with: (announcement + "\t").utf8) { return announced(fields) }
    let words = fields[(isFull ? 1 : 0)..<count].map { String(decoding: $0, as: UTF8.self) }
    let status = Status(rawValue: words[0])
    guard [unconfirmed, lacksSidecar].contains(words[0]) || status?.isSettled == true,
      let size = Int(words[1]), let time = Timestamp(words[2], words[3])
    else { return nil }
    var entry = Entry(status: status, size: size, time: time)
    entry.lacksSidecar = words[0] == lacksSidecar
    if isFull {
      guard let change = Timestamp(words[4], words[5]) else { return nil }
      entry.changeTime = change
      entry.digest = Digest(hexadecimal: words[6])
      entry.task = words[7] == none ? nil : words[7]
    }
    return (Shard.hash(path(fields[count])), entry)
  }

  /// Returns the entry of a file that would be replaced next.
  ///
  /// Its sidecars are replaced after it, so that nothing is known of them.
  private static func announced(_ fields: [ArraySlice<UInt8>]) -> (UInt64, Entry)? {
    let words = fields[1...3].map { String(decoding: $0, as: UTF8.self) }
    guard let size = Int(words[0]), let digest = Digest(hexadecimal: words[1]) else { return nil }
    var entry = Entry(size: size, digest: digest, task: words[2])
    entry.lacksSidecar = true
    entry.isBegun = true
    return (Shard.hash(path(fields[4])), entry)
  }

  /// Returns a path without the escapes of a line.
  private static func path(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    var isEscaped = false
    for byte in field {
      if isEscaped {
        path.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        path.append(byte)
      }
    }
    return path
  }
}

extension Timestamp {
  /// Parses seconds and nanoseconds.
  fileprivate init?(_ seconds: String, _ nanoseconds: String) {
    guard let seconds = Int64(seconds), let nanoseconds = Int64(nanoseconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }
}
