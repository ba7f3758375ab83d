/// One kind of data that refers to the stored image: where it is, how it is recognized, and what a rewrite does with it.
///
/// ``table`` lists all kinds; a new kind is an entry there and a fixture.
struct Reference {
  /// The stable identifier.
  let kind: StaticString
  /// The kind as text for people.
  let name: StaticString
  let place: Place
  let rule: Rule

  init(
    _ kind: StaticString,
    _ name: StaticString,
    _ place: Place,
    _ rule: Rule = .kept(.misregistered)
  ) {
    (self.kind, self.name, self.place, self.rule) = (kind, name, place, rule)
  }

  /// What a rewrite does with the data.
  enum Rule {
    /// It is kept, or the file is skipped, depending on what a transform means for it.
    case kept(RegisteredData.Effect)
  }

  /// Where data is and how it is recognized.
  enum Place {
    /// An APPn segment whose payload has these bytes at an offset.
    case segment(UInt8, StaticString, at: Int = 0)
    /// An APPn segment that no other row recognizes, in a file whose Exif Make is this.
    case unnamedSegment(UInt8, make: StaticString)
    /// An APPn segment that begins with a JPEG stream, or with a short name and a JPEG stream.
    case preview(UInt8)
    /// Image resources of Photoshop with these numbers.
    case imageResources(ClosedRange<UInt16>)
    /// A property in XMP or extended XMP of a namespace, given as its URI without the scheme's name.
    case property(StaticString, in: StaticString)
    /// A text in XMP or extended XMP.
    case text(StaticString)
    /// Photo Sphere XMP.
    case panorama
    /// A crop or local corrections of Camera Raw in XMP, which are still to be applied.
    case cameraRaw
    /// A block of this type in Samsung's trailer.
    case samsungBlock(UInt16)
    /// Bytes after the image, in a file whose Exif Make is one of these and that does not end with EOI.
    case trailer(StaticString, makes: [StaticString])
    /// The last bytes of the file.
    case end(StaticString)
  }
}
