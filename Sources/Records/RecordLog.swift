package import FileSystem
internal import Synchronization
package import SystemPackage

/// A record file that a run appends to.
///
/// A record is on the disk before its file is replaced, so that every replacement can be undone even if the run is
/// killed. A record whose file was not replaced is recognized by the file's hash.
public final class RecordLog: Sendable {
  private let file: AppendedFile
  private let context: RecordContext
  private let base: RecordBase
  package let path: FilePath
  /// The checks of the lines that have undo data.
  private let checks = Mutex<Set<ArraySlice<UInt8>>>([])

  /// Opens or creates a record file.
  ///
  /// - Throws: ``FileError``, also if the file is not empty and contains no records.
  package init(_ path: FilePath, tool: String) throws(FileError) {
    self.path = path
    context = RecordContext(tool: tool, base: try workingDirectory())
    base = RecordBase(context.base)
    file = try AppendedFile(
      path,
      beginning: Array("{".utf8),
      heading: base.line,
      maxLine: RecordLine.maxLength
    )
  }

  /// Appends a record, and waits until it is on the disk.
  ///
  /// - Throws: ``FileError``; the file of the record must not be replaced then.
  package func append(_ record: (RecordContext) -> Record) throws(FileError) {
    let record = record(context)
    let line = RecordLine.bytes(of: record, in: base)
    try file.append(line, needsHeading: base.contains(record))
    if record.undo != nil { checks.withLock { _ = $0.insert(Self.check(line.dropLast())) } }
  }

  /// What became of the lines that were appended.
  package enum State: Hashable, Sendable {
    /// All of them are in the file.
    case complete
    /// As many lines with undo data are not in the file any more, so their originals cannot be restored from it.
    case missing(Int)
    /// The file cannot be read.
    case unreadable(FileError)
  }

  /// Reads the file, and looks for the lines with undo data that were appended.
  package func state() -> State {
    var missing = checks.withLock { $0 }
    guard !missing.isEmpty else { return .complete }
    do throws(FileError) {
      try RecordSource(path).forEachLine { missing.remove(Self.check($0.bytes[...])) }
    } catch {
      let isGone = error.problem == .notFound || error.problem == .danglingLink
      if !isGone, !missing.isEmpty { return .unreadable(error) }
    }
    return missing.isEmpty ? .complete : .missing(missing.count)
  }

  private static func check(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    ArraySlice(Array(line.suffix(18)))
  }
}
