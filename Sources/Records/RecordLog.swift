package import FileSystem
package import SystemPackage

/// A file of records that a run appends to.
///
/// A record is on the disk before its file is replaced, so that a run may be killed at any time: whatever was
/// replaced can be undone, and a record whose file was not replaced is told by the file's hash.
public final class RecordLog: Sendable {
  private let file: AppendedFile
  private let context: RecordContext

  /// Opens or makes a file of records.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - tool: The program and its version.
  /// - Throws: ``FileError``, also where the file is not empty and holds no records.
  package init(_ path: FilePath, tool: String) throws(FileError) {
    file = try AppendedFile(path, beginning: Array("{".utf8), maxLine: RecordLine.maxLength)
    context = RecordContext(tool: tool, base: try workingDirectory())
  }

  /// Appends a record, and waits until it is on the disk.
  ///
  /// - Parameter record: Makes the record.
  /// - Throws: ``FileError``; the file that the record is about must not be replaced then.
  package func append(_ record: (RecordContext) -> Record) throws(FileError) {
    try file.append(RecordLine.bytes(of: record(context)))
  }
}
