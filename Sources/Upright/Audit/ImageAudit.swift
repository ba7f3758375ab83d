package import ISOBMFF
internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

extension Audit {
  /// Creates the audit of a file of a format other than JPEG.
  init(_ statements: ImageStatements, size: Int) {
    let image = statements.image
    facts = statements.facts
    facts.size = size
    facts.format = image.format.rawValue
    facts.formatOrientation = image.stated.map { Orientation(uprightBy: $0) }
    facts.orientationsAgree = statements.contradiction == nil
    facts.isMotionPhoto = image.hasVideo
    facts.hasContentCredentials = image.hasCredentials
    facts.trailingBytes = image.trailer?.count ?? 0
    facts.embeddedImages = image.images.map {
      let role = EmbeddedImage.Role(rawValue: $0.role.rawValue) ?? .unknown
      return EmbeddedImage(
        role: role,
        range: $0.range,
        width: $0.width,
        height: $0.height,
        disposition: .kept
      )
    }
    if facts.embeddedImages.contains(where: { $0.role == .gainMap }) { facts.hasGainMap = true }
    plan = statements.plan
  }
}

extension UprightError {
  /// Creates the error of a file whose structure cannot be used.
  package init(_ error: FormatError) {
    let code: Code =
      switch error.kind {
      case .truncated: .truncated
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .limit: .limit
      }
    self.init(code, at: error.offset, error.message)
  }
}

/// What the parts of an image file state about its orientation, and which statement holds.
struct ImageStatements {
  let image: ImageFacts
  private(set) var facts = Facts()
  /// The values in the order of their weight.
  private(set) var values: [Statement] = []

  struct Statement {
    /// The name of the place where it is.
    var place: String
    var value: Int64
    /// The index of the page of a TIFF file; nil if it is of no page.
    var page: Int?

    /// The orientation; nil if the value is reserved.
    var orientation: Orientation? { Orientation(rawValue: Int(clamping: value)) }
  }

  /// Reads the header of an image file of a format other than JPEG, of which the first bytes have been read; nil if it
  /// is of no format that is known.
  static func read<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    _ read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> ImageStatements? {
    do throws(HeaderError<Failure>) {
      return try ImageFacts.read(beginning, size: size, read).map { ImageStatements($0) }
    } catch {
      switch error {
      case .content(let error): throw .content(UprightError(error))
      case .reader(let error): throw .reader(error)
      }
    }
  }

  static func read(_ file: [UInt8]) throws(UprightError) -> ImageStatements? {
    do throws(ReadingError<Never>) {
      return try read(file, size: file.count) { (_, _) throws(Never) in [] }
    } catch {
      switch error {
      case .content(let error): throw error
      }
    }
  }

  init(_ image: ImageFacts) {
    self.image = image
    let own = image.primaryPages
    for index in own + image.pages.indices.filter({ !own.contains($0) }) {
      guard let tag = image.pages[index].tag else { continue }
      let place = index == 0 ? "IFD0" : "page \(index + 1)"
      let statement = Statement(place: place, value: tag, page: index)
      index == image.primaryPage ? values.insert(statement, at: 0) : values.append(statement)
    }
    facts.exifOrientation = image.pages.isEmpty ? nil : image.pages[image.primaryPage].tag
    facts.camera = TIFFBlock.camera(make: image.make, model: image.model)
    for part in image.exif { read(exif: part.bytes) }
    for part in image.xmp {
      // An invalid packet states nothing.
      guard let packet = try? XMPPacket(part.bytes) else { continue }
      let block = XMPBlock(packet)
      facts.read(block)
      if let value = block.orientation { values.append(Statement(place: "XMP", value: value)) }
    }
  }

  private mutating func read(exif content: [UInt8]) {
    let bytes = content.span
    guard let block = TIFFBlock(bytes, in: 0..<content.count) else { return }
    if let value = block.integer(.ifd0, ExifTag.orientation, bytes) {
      values.append(Statement(place: "Exif", value: value))
    }
    facts.read(block, bytes, .everything)
  }

  /// What states the orientation in the format itself, with its verb; nil if Exif's Orientation is all that there is.
  ///
  /// HEIF: ISO/IEC 23000-22 (MIAF), 7.3.10.1; JPEG XL: ISO/IEC 18181-1, D.3.2.
  var ownPlace: String? {
    image.format.isHEIF ? "irot and imir give" : image.format == .jxl ? "the codestream gives" : nil
  }

  var states: Bool { image.stated != nil || !values.isEmpty }

  /// The orientation in which readers that follow the format's standard show the image.
  var shown: Orientation {
    if ownPlace != nil { return Orientation(uprightBy: image.stated ?? .none) }
    let page = image.pages.isEmpty ? nil : image.primaryPage
    return values.first { $0.place != "XMP" && $0.page == page }?.orientation ?? .up
  }

  /// The orientation that the metadata states, Exif before XMP; nil if its value is reserved.
  ///
  /// Besides the format's own statement, 1 in Exif states nothing: it is what the standard asks for.
  var tagged: Orientation? {
    guard let first = values.first(where: { $0.value != 0 }) else { return shown }
    return image.stated != nil && first.value == 1 ? shown : first.orientation
  }

  /// Whether all metadata states the orientation that the format states.
  var agreesWithFormat: Bool {
    image.stated != nil && !values.isEmpty
      && values.allSatisfy { $0.value == Int64(shown.rawValue) }
  }

  /// Why neither the metadata nor the image can be changed so that they agree; nil if they can.
  var obstacle: String? {
    guard image.format.isHEIF else { return nil }
    if let structure = image.obstacle { return structure }
    if (image.exif + image.xmp).contains(where: { $0.start == nil }) {
      return "Exif or XMP is not in one piece"
    }
    guard let tagged, tagged != shown else { return nil }
    do throws(FormatError) {
      _ = try image.edits(transforming: shown.transform.inverse.then(tagged.transform))
    } catch { return error.message }
    return nil
  }

  /// The first value by which another reader shows the image in another orientation.
  ///
  /// Where the format has its own statement, 1 in Exif contradicts nothing: it is what the standard asks for.
  var contradiction: Statement? {
    values.first {
      guard $0.value != 0 else { return false }
      return $0.value != Int64(shown.rawValue) && (ownPlace == nil || $0.value != 1)
    }
  }

  var plan: Plan {
    var info = ImageInfo(width: image.width, height: image.height)
    if states { info.orientation = shown }
    return Plan(image: info, action: action, notes: image.notes)
  }

  var action: Action {
    let name = image.format.name
    if let other = contradiction {
      guard let orientation = other.orientation else {
        return .skip(.reservedOrientation(other.value))
      }
      if let page = other.page {
        let first = image.primaryPage == 0 ? "IFD0" : "page \(image.primaryPage + 1)"
        let has = values.contains { $0.page == image.primaryPage }
        return .skip(
          Reason(
            .orientationsDisagree,
            "page \(page + 1) gives Orientation \(orientation.rawValue), \(first) "
              + (has ? "\(shown.rawValue)" : "none")
              + ": readers show each page by its own, and Upright does not transform the pixels of"
              + " \(name) files"
          )
        )
      }
      let ruling =
        if let ownPlace, image.stated != nil {
          "\(ownPlace) \(shown.rawValue)"
        } else if ownPlace != nil {
          values[0].value == 1 ? "Exif gives 1" : "there is neither irot nor imir"
        } else {
          values[0].place == "XMP"
            ? "there is none in Exif" : "\(values[0].place) gives \(shown.rawValue)"
        }
      if let obstacle {
        return .skip(
          .imageStructure(
            "\(obstacle); \(other.place) gives Orientation \(orientation.rawValue), \(ruling)"
          )
        )
      }
      return .skip(
        Reason(
          .orientationsDisagree,
          "\(other.place) gives Orientation \(orientation.rawValue), \(ruling): most readers of \(name)"
            + " \(Self.effect(shown)), those that follow \(other.place) \(Self.effect(orientation))"
        )
      )
    }
    if shown == .up { return .unchanged(states ? .upright : .noOrientation) }
    if ownPlace != nil || image.format == .dng {
      return .unchanged(
        Reason(
          .appliedByReaders,
          (ownPlace ?? "Orientation is")
            + " \(shown.rawValue), which readers of \(name) apply"
        )
      )
    }
    return .skip(
      Reason(
        .otherFormat,
        "Orientation is \(shown.rawValue), and Upright does not transform the pixels of \(name) files"
      )
    )
  }

  private static func effect(_ orientation: Orientation) -> String {
    orientation == .up ? "show it as stored" : "\(orientation.transform) to show it"
  }
}

extension ImageInfo {
  /// The properties of an image that is not a JPEG image; sampling and coding are empty.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    sampling = ""
    coding = ""
  }

  /// Whether the image is not a JPEG image, and its orientation is changed without a sample.
  package var isOfOtherFormat: Bool { coding.isEmpty }
}

extension Reason {
  /// The reason of a structure that stops every change.
  static func imageStructure(_ structure: String) -> Reason { Reason(.imageStructure, structure) }
}

extension Reason.Code {
  /// Images in the file would not all follow a change, or an item cannot be found.
  public static let imageStructure = Reason.Code(rawValue: "image-structure")
  /// The parts of an image file state different orientations, and readers differ in which one they obey.
  public static let orientationsDisagree = Reason.Code(rawValue: "orientations-disagree")
  /// The format of the file has its own orientation, which every reader applies.
  public static let appliedByReaders = Reason.Code(rawValue: "applied-by-readers")
  /// The image is not upright, and its format is not rewritten.
  public static let otherFormat = Reason.Code(rawValue: "other-format")
}
