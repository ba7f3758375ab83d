internal import JPEGCore

/// The sizes of the parts of a file before and after a rewrite.
package struct Parts: Codable, Hashable, Sendable {
  /// A number of bytes before and after.
  package struct Sizes: Codable, Hashable, Sendable {
    package var before: Int
    package var after: Int
  }

  /// The entropy-coded data of the primary image.
  package var scans: Sizes
  /// Everything else up to the end of the primary image: its headers, tables and metadata.
  package var metadata: Sizes
  /// The bytes after the primary image.
  package var trailer: Sizes

  /// Creates the parts of a file and its result; nil if one of them cannot be parsed.
  init?(before: [UInt8], after: [UInt8]) {
    guard let old = try? Container(before.span), let new = try? Container(after.span) else {
      return nil
    }
    let (oldScans, newScans) = (Self.scans(old), Self.scans(new))
    scans = Sizes(before: oldScans, after: newScans)
    metadata = Sizes(before: old.end - oldScans, after: new.end - newScans)
    trailer = Sizes(before: before.count - old.end, after: after.count - new.end)
  }

  private static func scans(_ container: Container) -> Int {
    container.scans.reduce(0) { $0 + $1.data.count }
  }
}
