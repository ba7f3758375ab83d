public import Foundation
public import Upright

extension Rewriter {
  /// Returns the plan for a file at a URL, reading only its header.
  ///
  /// - Parameter url: The file.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``, or an error of `FileHandle`.
  public func plan(contentsOf url: URL) throws -> Plan {
    let file = try SeekableFile(url)
    return try plan(size: file.size, reading: file.read)
  }

  /// Audits a file at a URL with a few small reads.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - detail: How much to read.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``, or an error of `FileHandle`.
  public func audit(contentsOf url: URL, detail: Audit.Detail = .everything) throws -> Audit {
    let file = try SeekableFile(url)
    return try audit(size: file.size, detail: detail, reading: file.read)
  }

  /// Does what is requested with a file at a URL, without writing it.
  ///
  /// ```swift
  /// if case .rewritten(let result) = try Rewriter().rewrite(contentsOf: photo) {
  ///   try result.data.write(to: photo, options: .atomic)
  /// }
  /// ```
  ///
  /// - Parameter url: The file.
  /// - Returns: The new file with the list of its changes, or the reason why the file is unchanged.
  /// - Throws: ``UprightError``, or an error of reading the file.
  public func rewrite(contentsOf url: URL) throws -> Outcome {
    try rewrite(try Data(contentsOf: url))
  }
}

/// A file that is read at offsets, and closed on deinitialization.
private final class SeekableFile {
  /// The file's size in bytes.
  let size: Int
  private let handle: FileHandle

  init(_ url: URL) throws {
    handle = try FileHandle(forReadingFrom: url)
    size = Int(try handle.seekToEnd())
  }

  deinit { try? handle.close() }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    try handle.seek(toOffset: UInt64(offset))
    return [UInt8](try handle.read(upToCount: count) ?? Data())
  }
}
