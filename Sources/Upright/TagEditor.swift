/// Changes the Orientation tag of a file without changing the image.
///
/// The value in IFD0 is changed in place, and an Orientation in XMP is changed with it. A file without Exif gets an Exif
/// block, if no offsets point to the data that moves. Viewers that ignore the tag show the image as before.
public struct TagEditor: Sendable {
  /// The change of the tag.
  public typealias Operation = TagOperation
  /// The pages of a TIFF file.
  public typealias Page = TagPages

  /// The change of the tag.
  public var operation: Operation
  /// The pages whose tags change; other formats have one page.
  public var page = Page.first
  /// The options; only those for content credentials, limits, the check and the undo record are used.
  public var options: Options

  /// Creates a tag editor.
  public init(_ operation: Operation, options: Options = Options()) {
    self.operation = operation
    self.options = options
  }

  /// Returns the plan for a file.
  ///
  /// - Parameter file: The whole file; only its header is read.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  public func plan(_ file: [UInt8]) throws(UprightError) -> Plan {
    try rewriter.plan(file)
  }

  /// Returns the plan for a file, from its beginning.
  ///
  /// - Parameter beginning: The file, or enough of its beginning to hold everything before the first scan.
  /// - Returns: The plan, or nil if the header is longer than `beginning`.
  /// - Throws: ``UprightError``.
  public func plan(beginning: [UInt8]) throws(UprightError) -> Plan? {
    try rewriter.plan(beginning: beginning)
  }

  /// Changes the tag of a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError`` if the file is damaged or not a JPEG file.
  public func edit(_ file: [UInt8]) throws(UprightError) -> Outcome {
    try rewriter.rewrite(file)
  }

  /// What does the work.
  package var rewriter: Rewriter { Rewriter(.tag(operation, pages: page), options: options) }
}

#if !hasFeature(Embedded)
extension TagEditor {
  /// Returns the plan for a file, reading only its header.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes, for the limits of memory and size, or nil if it is unknown.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func plan(
    size: Int? = nil,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Plan {
    do throws(ReadingError<any Error>) {
      return try rewriter.plan(size: size, reading: read)
    } catch { throw error.underlying }
  }
}
#endif
