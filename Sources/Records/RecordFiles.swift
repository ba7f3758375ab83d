internal import FileSystem
internal import SystemPackage
public import Upright

extension RecordLog {
  /// The file.
  package var recordedPath: RecordedPath { RecordedPath(path) }

  /// Opens or creates a record file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - tool: The program that makes the rewrites, with its version.
  /// - Throws: `UprightError`, also if the file is not empty and contains no records.
  public convenience init(at path: RecordedPath, tool: String) throws(UprightError) {
    do throws(FileError) {
      try self.init(path.path, tool: tool)
    } catch { throw UprightError(naming: error) }
  }

  /// Appends the record of a rewritten photo, and waits until it is on the disk.
  ///
  /// Relative paths start from the working directory at the time when the log was opened.
  ///
  /// - Parameters:
  ///   - rewrite: The result.
  ///   - original: The original file.
  ///   - path: The path of the file.
  ///   - output: The path of the result, if it is not `path`.
  /// - Throws: `UprightError`; the file must not be replaced then.
  public func append(
    _ rewrite: Rewrite,
    of original: [UInt8],
    at path: RecordedPath,
    output: RecordedPath? = nil
  ) throws(UprightError) {
    do throws(FileError) {
      try append { Record(of: original, rewrite, path: path.path, output: output?.path, in: $0) }
    } catch { throw UprightError(naming: error) }
  }

  /// Appends the record of a sidecar, and waits until it is on the disk.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - path: The path of the sidecar.
  ///   - output: The path of the result, if it is not `path`.
  /// - Throws: `UprightError`; the file must not be replaced then.
  public func append(
    _ update: Sidecar.Update,
    at path: RecordedPath,
    output: RecordedPath? = nil
  ) throws(UprightError) {
    do throws(FileError) {
      try append { Record(of: update, path: path.path, output: output?.path, in: $0) }
    } catch { throw UprightError(naming: error) }
  }
}

extension RecordIndex {
  /// The file.
  package var recordedPath: RecordedPath { RecordedPath(path) }

  /// Reads a record file line by line; it may be packed.
  ///
  /// - Throws: `UprightError`. Lines that are not records are in ``problems``.
  public init(of path: RecordedPath) throws(UprightError) {
    do throws(FileError) {
      try self.init(path.path)
    } catch { throw UprightError(naming: error) }
  }

  /// A line that is not a record.
  public struct Problem: Hashable, Sendable {
    /// The number of the line, from 1.
    public var line: Int
    /// Why the line is not a record.
    public var error: UprightError
  }

  /// The first lines that are not records; ``furtherProblems`` counts the others.
  public var problems: [Problem] {
    lineProblems.map { Problem(line: $0.line, error: UprightError($0.problem)) }
  }

  /// Reads a record again.
  ///
  /// - Throws: `UprightError`, of code `changed` if the record file changed meanwhile.
  public subscript(entry: Entry) -> Record {
    get throws(UprightError) {
      do throws(FileError) {
        if let record = try record(entry) { return record }
      } catch { throw UprightError(naming: error) }
      throw .changedMeanwhile
    }
  }

  /// Restores the original of a file, through all rewrites that the records contain.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - path: Its absolute path. Records of this path come first; those of other paths are used if it has none. Then
  ///     the files at these paths are read, which shows if the recorded files are still there.
  ///   - maxPixels: The maximum number of pixels of an image.
  /// - Returns: The original, or why it cannot be restored.
  /// - Throws: `UprightError`, if the record file cannot be read or a record is wrong.
  public func restoreOriginal(
    of file: [UInt8],
    at path: RecordedPath,
    maxPixels: Int = Options().maxPixels
  ) throws(UprightError) -> Restoration {
    do {
      return try restoration(
        of: file,
        at: path.path.lexicallyNormalized(),
        maxPixels: maxPixels,
        content: { PlaceContent(of: $0, beside: path.path) }
      )
    } catch let error as FileError {
      throw UprightError(naming: error)
    } catch let error as UprightError {
      throw error
    } catch {
      throw .changedMeanwhile
    }
  }
}

extension RecordIndex.Entry {
  /// The absolute path of the result; nil if it was written to standard output.
  public var path: RecordedPath? { place.map(RecordedPath.init) }
}

extension UprightError {
  /// The error of a record file that another program writes to.
  fileprivate static var changedMeanwhile: UprightError {
    UprightError(.changed, message: "the record file changed while it was read")
  }
}
