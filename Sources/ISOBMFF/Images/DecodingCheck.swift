/// What a decoder returns for an image item, shown by the headers and the structure of the file.
package struct ImageForm: Hashable, Sendable {
  /// The width of the image before its own transforms, as `ispe` gives it.
  package var storedWidth: Int
  package var storedHeight: Int
  /// The transforms of the item, and the size after them.
  package var transforms: ImageTransforms
  package var chroma: CodedItem.ChromaFormat
  /// Bits per luma sample.
  package var bitDepth: Int
  /// Bits per chroma sample.
  var chromaBitDepth: Int
  /// The pixels of all coded images that the decoder decodes, each as often as it is used.
  package internal(set) var codedPixels: Int
  /// The number of these images.
  var codedImages: Int
}

/// Shows before decoding that an image is completely determined by the file, and that decoding it is limited.
///
/// A decoder that trusts the structure of a file may leave parts of an image unwritten, write beyond it, or not end.
/// An image whose structure contradicts itself, or has a feature that cannot be checked, is refused.
package struct DecodingCheck {
  /// The maximum number of pixels: of an image, of a canvas, and of all coded images together.
  package var maxPixels: Int

  /// The number of coded images of an image; a grid of 200 megapixels has fewer than 1,000.
  private static let maxImages = 4_096
  private static let maxDepth = 8

  /// Whether what some decoders accept is refused, too.
  private var isStrict = true

  package init(maxPixels: Int) { self.maxPixels = maxPixels }

  /// Checks the primary image of a file, with the images that are decoded with it, and returns what a decoder returns.
  package func primaryImage(
    of file: MediaFile,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> ImageForm {
    let directory = file.directory
    // Decoders follow references of all items already when they open a file.
    for type: FourCharacterCode in ["dimg", "auxl", "thmb"] {
      try ReferenceCycleCheck(directory: directory, type: type, maxDepth: Self.maxDepth).check()
    }
    var forms = Forms(directory)
    try forms.readAlpha(bytes)
    return try form(of: try directory.item(directory.primary), &forms, bytes)
  }

  /// Returns why no decoder can show the primary image, in words; nil if one may.
  ///
  /// Features and sizes that are not supported, crops, and transparency are no reason: decoders differ in them.
  /// `contents` are those that are known, by the identifiers of the items; of other coded images, only the configuration
  /// is read. The ranges of the items' properties are those of `bytes`.
  package static func damage(
    _ directory: ItemDirectory,
    _ bytes: Span<UInt8>,
    contents: [Int: [UInt8]]
  ) -> String? {
    var check = DecodingCheck(maxPixels: .max >> 2)
    check.isStrict = false
    var forms = Forms(directory, contents: contents)
    do throws(FormatError) {
      try ReferenceCycleCheck(directory: directory, type: "dimg", maxDepth: maxDepth).check()
      _ = try check.form(of: try directory.item(directory.primary), &forms, bytes)
      return nil
    } catch { return [.malformed, .truncated].contains(error.kind) ? error.message : nil }
  }

  /// The forms that are known, and the items whose forms are being determined.
  private struct Forms {
    let directory: ItemDirectory
    /// The transparency of images, by the identifiers of the images.
    private(set) var alpha: [Int: Item] = [:]
    /// The contents that are known, if the file is not.
    private let contents: [Int: [UInt8]]?
    var known: [Int: ImageForm] = [:]
    var path: [Int] = []

    init(_ directory: ItemDirectory, contents: [Int: [UInt8]]? = nil) {
      (self.directory, self.contents) = (directory, contents)
    }

    /// Returns the content of an item; nil if it is not known.
    func content(of item: Item, _ bytes: Span<UInt8>) throws(FormatError) -> [UInt8]? {
      guard let contents else { return try directory.content(of: item, bytes) }
      if item.isEmpty { return [] }
      return contents[item.identifier]
    }

    mutating func readAlpha(_ bytes: Span<UInt8>) throws(FormatError) {
      for identifier in directory.order {
        guard let item = directory.items[identifier], try item.isAlpha(bytes) else { continue }
        for target in item.targets("auxl") {
          guard alpha.updateValue(item, forKey: target) == nil else {
            throw .malformed("item \(target) has more than one transparency")
          }
        }
      }
    }
  }

  private func form(
    of item: Item,
    _ forms: inout Forms,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> ImageForm {
    if let known = forms.known[item.identifier] { return known }
    guard !forms.path.contains(item.identifier) else {
      throw .malformed("item \(item.identifier) consists of itself")
    }
    guard forms.path.count <= 2 * Self.maxDepth else {
      throw .limit("item \(item.identifier) consists of too many images in each other")
    }
    forms.path.append(item.identifier)
    defer { forms.path.removeLast() }
    let form = try decoded(item, &forms, bytes)
    try checkLimit(form.codedPixels)
    guard form.codedImages <= Self.maxImages else {
      throw .limit("item \(item.identifier) consists of more than \(Self.maxImages) coded images")
    }
    try checkAlpha(of: item, form, &forms, bytes)
    forms.known[item.identifier] = form
    return form
  }

  private func checkLimit(_ pixels: Int) throws(FormatError) {
    guard pixels > maxPixels else { return }
    throw .limit(
      "the image, or the coded images that it consists of, have \(pixels) pixels, more than the limit of "
        + "\(maxPixels)"
    )
  }

  /// Returns the form of an item that is not known yet.
  private func decoded(
    _ item: Item,
    _ forms: inout Forms,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> ImageForm {
    let (width, height): (Int, Int)
    let transforms: ImageTransforms
    do throws(FormatError) {
      (width, height) = try item.size(bytes)
      try checkLimit(width * height)
      transforms = try ImageTransforms(item, width: width, height: height, bytes)
    } catch {
      // Some decoders do without a size, and ignore a crop that is not within the image.
      throw isStrict ? error : FormatError(.unsupported, at: error.offset, error.message)
    }
    let content = try forms.content(of: item, bytes)
    if item.isCodedImage {
      guard isStrict || !item.hasSeveralConfigurations else {
        throw .unsupported("item \(item.identifier) has more than one decoder configuration")
      }
      let image = try item.codedImage(content, bytes) ?? CodedItem(unread: width, height)
      guard (image.width, image.height) == (width, height) else {
        throw disputed(
          "item \(item.identifier) is coded with \(image.width)×\(image.height) pixels, but ispe gives "
            + "\(width)×\(height)"
        )
      }
      return ImageForm(
        storedWidth: width,
        storedHeight: height,
        transforms: transforms,
        chroma: image.chroma,
        bitDepth: image.bitDepth,
        chromaBitDepth: image.chromaBitDepth,
        codedPixels: image.codedPixels,
        codedImages: 1
      )
    }
    guard DerivedImage.types.contains(item.type) else {
      throw .unsupported(
        "item \(item.identifier) is an image of type \(item.type), which cannot be checked before decoding"
      )
    }
    var inputs: [ImageForm] = []
    for target in item.targets("dimg") {
      inputs.append(try form(of: try forms.directory.item(target), &forms, bytes))
    }
    guard var form = inputs.first else {
      throw .malformed("item \(item.identifier), of type \(item.type), has no images")
    }
    guard let content else {
      throw .unsupported("the content of item \(item.identifier) is not known")
    }
    let derived = try DerivedImage(item, content, count: inputs.count)
    try check(derived, of: item, width, height, inputs)
    (form.storedWidth, form.storedHeight, form.transforms) = (width, height, transforms)
    form.codedPixels = inputs.reduce(0) { min($0 + $1.codedPixels, .max >> 2) }
    form.codedImages = inputs.reduce(0) { min($0 + $1.codedImages, .max >> 2) }
    return form
  }

  /// Returns the error of a file of which decoders show an image, but not all of them the same one.
  private func disputed(_ message: String) -> FormatError {
    FormatError(isStrict ? .malformed : .unsupported, message)
  }

  /// Checks that a derived image is completely determined by its images, and that they are within it.
  private func check(
    _ derived: DerivedImage,
    of item: Item,
    _ width: Int,
    _ height: Int,
    _ inputs: [ImageForm]
  ) throws(FormatError) {
    let name = "item \(item.identifier), of type \(item.type)"
    func fail(_ message: String) -> FormatError { .malformed("\(name): \(message)") }
    func otherSize(_ own: (Int, Int)) -> FormatError {
      disputed("\(name): ispe gives \(width)×\(height) pixels instead of \(own.0)×\(own.1)")
    }
    // Decoders round fractional crops differently.
    guard !inputs.contains(where: { $0.transforms.isCropped }) else {
      throw .unsupported("item \(item.identifier) consists of images with a crop (clap)")
    }
    let sizes = inputs.map { (width: $0.transforms.width, height: $0.transforms.height) }
    switch derived {
    case .identity:
      guard sizes.count == 1, sizes[0] == (width, height) else {
        throw disputed("\(name): it does not have the size of one image")
      }
    case .grid(let rows, let columns, let gridWidth, let gridHeight):
      guard inputs.count == rows * columns else {
        throw fail("it has \(inputs.count) tiles instead of \(rows)×\(columns)")
      }
      let tile = sizes[0]
      guard sizes.allSatisfy({ $0 == tile }),
        !isStrict || inputs.allSatisfy({ $0.hasSameSamples(as: inputs[0]) })
      else { throw fail("its tiles differ in size or coding") }
      guard tile.width * columns >= gridWidth, tile.height * rows >= gridHeight else {
        throw fail(
          "\(columns)×\(rows) tiles of \(tile.width)×\(tile.height) pixels do not cover "
            + "\(gridWidth)×\(gridHeight)"
        )
      }
      guard (gridWidth, gridHeight) == (width, height) else {
        throw otherSize((gridWidth, gridHeight))
      }
      guard !isStrict || tile.width * (columns - 1) < width && tile.height * (rows - 1) < height
      else {
        throw fail("it has tiles outside the image")
      }
    case .overlay(let canvasWidth, let canvasHeight, let offsets):
      guard (canvasWidth, canvasHeight) == (width, height) else {
        throw otherSize((canvasWidth, canvasHeight))
      }
      for (offset, size) in zip(offsets, sizes) where isStrict {
        guard offset.x >= 0, offset.y >= 0, offset.x + size.width <= width,
          offset.y + size.height <= height
        else { throw fail("an image is not within the canvas") }
      }
    }
  }

  /// Checks the transparency of an image, which decoders decode with it.
  private func checkAlpha(
    of item: Item,
    _ form: ImageForm,
    _ forms: inout Forms,
    _ bytes: Span<UInt8>
  ) throws(FormatError) {
    guard let other = forms.alpha[item.identifier] else { return }
    let alpha = try self.form(of: other, &forms, bytes)
    guard alpha.transforms.width == form.transforms.width,
      alpha.transforms.height == form.transforms.height
    else {
      throw .malformed(
        "item \(other.identifier), the transparency of item \(item.identifier), has another size"
      )
    }
  }
}

extension ImageForm {
  /// Whether the samples of both images have the same format.
  fileprivate func hasSameSamples(as other: Self) -> Bool {
    (chroma, bitDepth, chromaBitDepth) == (other.chroma, other.bitDepth, other.chromaBitDepth)
  }
}

extension CodedItem {
  /// Creates what is known of an image whose headers are not read.
  fileprivate init(unread width: Int, _ height: Int) {
    self.init(
      width: width,
      height: height,
      codedPixels: 0,
      chroma: .monochrome,
      bitDepth: 8,
      chromaBitDepth: 8
    )
  }
}

extension Item {
  /// Whether there are several decoder configurations, of which decoders use one.
  fileprivate var hasSeveralConfigurations: Bool {
    properties.count { $0.type == "hvcC" || $0.type == "av1C" } > 1
  }

  /// Whether the item has no content.
  fileprivate var isEmpty: Bool {
    switch location {
    case .none: true
    case .extents(let extents): extents.allSatisfy { $0.isEmpty }
    case .unsupported: false
    }
  }

  /// The size that the property `ispe` gives (ISO/IEC 23008-12, 6.5.3).
  fileprivate func size(_ bytes: Span<UInt8>) throws(FormatError) -> (width: Int, height: Int) {
    let boxes = properties.filter { $0.type == "ispe" }
    guard boxes.count == 1 else {
      throw .malformed(
        "item \(identifier), of type \(type), has \(boxes.count) properties ispe instead of one"
      )
    }
    var (_, _, fields) = try boxes[0].fullBox(bytes)
    let (width, height) = try (fields.integer(4, bytes), fields.integer(4, bytes))
    guard width > 0, height > 0, max(width, height) < 1 << 24 else {
      throw .malformed(at: boxes[0].range.lowerBound, "ispe gives \(width)×\(height) pixels")
    }
    return (width, height)
  }

  /// Whether the item is the transparency of another image.
  fileprivate func isAlpha(_ bytes: Span<UInt8>) throws(FormatError) -> Bool {
    for property in properties where property.type == "auxC" {
      var (_, _, fields) = try property.fullBox(bytes)
      let name = fields.text(bytes)
      if [
        "urn:mpeg:avc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:1",
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
      ].contains(name) {
        return true
      }
    }
    return false
  }
}
