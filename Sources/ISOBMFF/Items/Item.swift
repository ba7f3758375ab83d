/// An item of a file: an image, or metadata (ISO/IEC 14496-12, 8.11).
package struct Item: Hashable, Sendable {
  package var identifier: Int
  package var type: FourCharacterCode
  /// The MIME type of an item of type `mime`.
  package var contentType = ""
  /// The compression of an item of type `mime`, such as `deflate`; empty if there is none.
  package var contentEncoding = ""
  /// Whether the item is not meant to be displayed by itself.
  package var isHidden = false
  /// The properties, in the order in which they apply (ISO/IEC 23008-12, 6.5).
  package internal(set) var properties: [Box] = []
  /// The references to other items.
  package internal(set) var references: [Reference] = []
  /// Where the content is.
  var location = Location.none

  /// References of one type from an item to others (ISO/IEC 14496-12, 8.11.12).
  package struct Reference: Hashable, Sendable {
    package var type: FourCharacterCode
    package var targets: [Int]
  }

  /// Where the content of an item is.
  enum Location: Hashable, Sendable {
    case none
    case extents([Range<Int>])
    /// In a place that is not read, for example another file.
    case unsupported(String)
  }

  init(_ identifier: Int, _ type: FourCharacterCode) {
    self.identifier = identifier
    self.type = type
  }

  /// Returns the items that references of a type refer to.
  package func targets(_ type: FourCharacterCode) -> [Int] {
    references.filter { $0.type == type }.flatMap { $0.targets }
  }
}
