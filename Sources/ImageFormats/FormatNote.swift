/// A remark on what is in a file, or what is not read of it.
package struct FormatNote: Hashable, Sendable {
  /// What is remarked; the raw values are stable identifiers.
  package enum Kind: String, CaseIterable, Sendable {
    /// Metadata that cannot be read in the form that it has.
    case metadataNotRead = "metadata-not-read"
    /// Metadata that some readers do not find or accept.
    case metadataIgnored = "metadata-ignored"
    /// An image or a video track that is not there or cannot be read.
    case imageNotRead = "image-not-read"
    /// Pages that were not read.
    case pagesNotRead = "pages-not-read"
    /// The file does not end as the format requires.
    case noEndOfImage = "no-end-of-image"
  }

  /// What is remarked.
  package var kind: Kind
  /// The text for people.
  package var text: String

  init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}
