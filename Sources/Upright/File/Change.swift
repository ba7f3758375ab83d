internal import FileBytes

/// A change of a range of bytes of a file.
public struct Change: Hashable, Sendable {
  /// The field that the bytes belong to.
  public var field: Field
  /// The range in the original file that is replaced; empty for an insertion.
  public var range: Range<Int>
  /// The new bytes.
  public var replacement: ArraySlice<UInt8>
  /// The old value as text; empty if it has none.
  public var old: String
  /// The new value as text.
  public var new: String
  /// How the replaced bytes are restored.
  let content: Edit.Content
}

extension Change {
  /// The identifier of a field of a file.
  ///
  /// Fields of an embedded image have its role as a prefix, as in `gain-map.scan.0`. `docs/what-changes.md` lists the
  /// identifiers; more may be added.
  public struct Field: RawRepresentable, Hashable, Sendable {
    /// The stable identifier, such as `exif.ifd0.orientation`.
    public var rawValue: String

    /// Creates a field from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension Change.Field {
  /// Orientation of the image, in IFD0.
  package static let orientation = Change.Field(rawValue: "exif.ifd0.orientation")
  /// Orientation of the thumbnail, in IFD1.
  package static let thumbnailOrientation = Change.Field(rawValue: "exif.ifd1.orientation")
  /// `tiff:Orientation` in XMP.
  package static let xmpOrientation = Change.Field(rawValue: "xmp.tiff.Orientation")
  /// PixelXDimension of Exif.
  package static let pixelXDimension = Change.Field(rawValue: "exif.exif.pixel-x-dimension")
  /// PixelYDimension of Exif.
  package static let pixelYDimension = Change.Field(rawValue: "exif.exif.pixel-y-dimension")
  /// The C2PA content credentials.
  package static let contentCredentials = Change.Field(rawValue: "content-credentials")
  /// The undo data in the file itself.
  package static let undoData = Change.Field(rawValue: "undo-data")

  /// Returns the field of the entropy-coded data of a scan.
  ///
  /// - Parameter number: The number of the scan, from 0.
  /// - Returns: The field.
  package static func scan(_ number: Int) -> Change.Field {
    Change.Field(rawValue: "scan.\(number)")
  }
}

extension Change.Field: CustomStringConvertible {
  /// The identifier.
  public var description: String { rawValue }
}

extension Edit {
  static func removal(_ range: Range<Int>, _ field: String) -> Edit {
    Edit(range, with: [], field: Field(field, new: "removed"))
  }

  /// Returns the edit with another identifier of its field.
  func named(_ identifier: String) -> Edit {
    var edit = self
    edit.field.identifier = identifier
    return edit
  }
}

extension [Edit] {
  /// Returns the edits of an embedded image, whose role is a prefix of its fields.
  func prefixed(_ role: String) -> [Edit] { map { $0.named("\(role).\($0.field.identifier)") } }

  /// The edits as changes, in file order.
  var changes: [Change] { inOrder.map { Change($0, $0.replacement[...]) } }

  /// The edits as changes whose new bytes are those of the result, in file order.
  func changes(in result: [UInt8]) -> [Change] {
    var shift = 0
    return inOrder.map { edit in
      let start = edit.range.lowerBound + shift
      shift += edit.shift
      return Change(edit, result[start..<start + edit.replacement.count])
    }
  }
}

extension Change {
  fileprivate init(_ edit: Edit, _ replacement: ArraySlice<UInt8>) {
    self.init(
      field: Change.Field(rawValue: edit.field.identifier),
      range: edit.range,
      replacement: replacement,
      old: edit.field.old,
      new: edit.field.new,
      content: edit.content
    )
  }
}

extension [Change] {
  /// Returns the position in the result of the byte at `offset` of the original.
  ///
  /// Insertions at the offset come before it.
  func positionInResult(of offset: Int) -> Int {
    guard let last = last(where: { $0.range.upperBound <= offset }) else { return offset }
    return last.replacement.endIndex + offset - last.range.upperBound
  }
}
