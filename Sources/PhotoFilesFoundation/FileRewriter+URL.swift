public import PhotoFiles
public import Records
public import Upright

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RecordedPath {
  /// Creates the path of a file URL, with its exact bytes.
  public init(_ url: URL) {
    var bytes: [UInt8] = []
    var rest = Array(url.path(percentEncoded: true).utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    self = RecordedPath(bytes: bytes) ?? RecordedPath(url.path(percentEncoded: false))
  }
}

extension FileRewriter {
  /// Returns what a rewrite would do with a file.
  ///
  /// - Throws: `UprightError`.
  public func plan(_ url: URL, to output: URL? = nil) throws(UprightError) -> FileResult {
    try plan(RecordedPath(url), to: output.map { RecordedPath($0) })
  }

  /// Does what is requested with a file.
  ///
  /// - Throws: `UprightError`.
  public func rewrite(_ url: URL, to output: URL? = nil) throws(UprightError) -> FileResult {
    try rewrite(RecordedPath(url), to: output.map { RecordedPath($0) })
  }

  /// Restores the original of a file and of its sidecars.
  ///
  /// - Throws: `UprightError`.
  public func restore(_ url: URL, from index: RecordIndex?) throws(UprightError) -> FileResult {
    try restore(RecordedPath(url), from: index)
  }

  /// Does what is requested with all photos below a folder.
  public func rewriting(below folder: URL, jobs: Int? = nil) -> FileResults {
    rewriting(below: RecordedPath(folder), jobs: jobs)
  }

  /// Returns what a rewrite would do with all photos below a folder.
  public func planning(below folder: URL, jobs: Int? = nil) -> FileResults {
    planning(below: RecordedPath(folder), jobs: jobs)
  }

  /// Restores the originals of all photos below a folder and of their sidecars.
  public func restoring(
    below folder: URL,
    from index: RecordIndex?,
    jobs: Int? = nil
  ) -> FileResults {
    restoring(below: RecordedPath(folder), from: index, jobs: jobs)
  }
}
