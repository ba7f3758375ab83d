package import FileSystem
package import SystemPackage

/// A file of records that a run appends to.
///
/// A record is on the disk before its file is replaced, so that every replacement can be undone even if the run is
/// killed. A record whose file was not replaced is recognized by the file's hash.
public final class RecordLog: Sendable {
  private let file: AppendedFile
  private let context: RecordContext

  /// Opens or creates a file of records.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - tool: The program with its version.
  /// - Throws: ``FileError``, also if the file is not empty and contains no records.
  package init(_ path: FilePath, tool: String) throws(FileError) {
    file = try AppendedFile(path, beginning: Array("{".utf8), maxLine: RecordLine.maxLength)
    context = RecordContext(tool: tool, base: try workingDirectory())
  }

  /// Appends a record, and waits until it is on the disk.
  ///
  /// - Parameter record: Creates the record.
  /// - Throws: ``FileError``; the file of the record must not be replaced then.
  package func append(_ record: (RecordContext) -> Record) throws(FileError) {
    try file.append(RecordLine.bytes(of: record(context)))
  }
}
