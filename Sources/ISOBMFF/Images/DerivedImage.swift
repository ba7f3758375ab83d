/// The instructions of an image that consists of other images (ISO/IEC 23008-12, 6.6.2).
enum DerivedImage: Sendable {
  /// The same image, with other properties.
  case identity
  /// Images in rows, from the top left.
  case grid(rows: Int, columns: Int, width: Int, height: Int)
  /// Images at offsets on a canvas.
  case overlay(width: Int, height: Int, offsets: [(x: Int, y: Int)])

  /// The types of items that are derived images of known kinds.
  static let types: Set<FourCharacterCode> = ["iden", "grid", "iovl"]

  /// Reads the content of an item of one of ``types``, derived from `count` images.
  init(_ item: Item, _ content: [UInt8], count: Int) throws(FormatError) {
    let bytes = content.span
    var fields = FieldCursor(0..<content.count)
    do throws(FormatError) {
      switch item.type {
      case "grid":
        let size = try Self.fieldSize(&fields, bytes)
        self = try .grid(
          rows: fields.integer(1, bytes) + 1,
          columns: fields.integer(1, bytes) + 1,
          width: fields.integer(size, bytes),
          height: fields.integer(size, bytes)
        )
      case "iovl":
        let size = try Self.fieldSize(&fields, bytes)
        // The color of the canvas.
        try fields.skip(8)
        let (width, height) = try (fields.integer(size, bytes), fields.integer(size, bytes))
        var offsets: [(x: Int, y: Int)] = []
        for _ in 0..<count {
          offsets.append(
            try (x: fields.signedInteger(size, bytes), y: fields.signedInteger(size, bytes))
          )
        }
        self = .overlay(width: width, height: height, offsets: offsets)
      default: self = .identity
      }
    } catch {
      throw FormatError(
        error.kind,
        "item \(item.identifier), of type \(item.type): \(error.message)"
      )
    }
  }

  /// Reads version and flags, and returns the number of bytes of the other fields.
  private static func fieldSize(
    _ fields: inout FieldCursor,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> Int {
    guard try fields.integer(1, bytes) == 0 else {
      throw .unsupported("the version is unknown")
    }
    return try fields.integer(1, bytes) & 1 == 1 ? 4 : 2
  }
}

extension Item {
  /// Whether the image consists of others, in a way that is known.
  package var isDerived: Bool { DerivedImage.types.contains(type) }
}
