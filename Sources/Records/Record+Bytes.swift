internal import SystemPackage
public import Upright

extension Record {
  /// Creates the record of a rewritten photo.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - rewrite: The result.
  ///   - path: The path of the file.
  ///   - output: The path of the result, if it is not `path`.
  ///   - base: The absolute path of the directory that relative paths start from.
  ///   - tool: The program that makes the rewrite, with its version.
  /// - Precondition: `base` is absolute, and the other paths are not empty.
  public init(
    of original: [UInt8],
    _ rewrite: Rewrite,
    path: RecordedPath,
    output: RecordedPath? = nil,
    base: RecordedPath,
    tool: String
  ) {
    self.init(
      of: original,
      rewrite,
      path: path.path,
      output: output?.path,
      in: RecordContext(tool: tool, base: base.path)
    )
    precondition(
      base.path.isAbsolute && !path.path.isEmpty && output?.path.isEmpty != true,
      "base is absolute, and path and output are not empty"
    )
  }

  /// Parses a line of a record file.
  ///
  /// - Parameter line: The line, with or without its line end.
  /// - Throws: `UprightError`.
  public init(line: [UInt8]) throws(UprightError) {
    do throws(RecordLine.Problem) {
      self = try RecordLine.record(line.last == UInt8(ascii: "\n") ? line.dropLast() : line)
    } catch { throw UprightError(error) }
  }

  /// The record as a line of a record file, with its line end; its paths are absolute.
  public var line: [UInt8] { RecordLine.bytes(of: self) }

  /// Whether the record has undo data, so that the original can be restored.
  public var isReversible: Bool { undo != nil }

  /// Restores the original.
  ///
  /// - Parameters:
  ///   - result: The rewritten file.
  ///   - maxPixels: The maximum number of pixels of an image.
  /// - Returns: The original, whose hash was checked.
  /// - Throws: `UprightError`, of code `verification` if `result` is not the file that the
  ///   record was made for, and `no-undo-data` if the record has no undo data.
  public func restoreOriginal(
    from result: [UInt8],
    maxPixels: Int = Options().maxPixels
  ) throws(UprightError) -> [UInt8] {
    guard after == Content(result) else {
      throw UprightError(.verification, "the file is not the one that the record was made for")
    }
    guard let original = try self.original(from: result, maxPixels: maxPixels) else {
      throw UprightError(.noUndoData, .file, "the record has no undo data")
    }
    guard before == Content(original) else {
      throw UprightError(.verification, "what the record restores is not the original")
    }
    return original
  }
}
