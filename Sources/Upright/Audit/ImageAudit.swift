internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

extension Audit {
  /// Audits an image file of a format other than JPEG, with a few small reads besides its first bytes.
  ///
  /// - Returns: The audit, or nil if the file is of no format that can be audited.
  static func ofOtherFormat<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> Audit? {
    guard let image = try ImageStatements.image(beginning, size: size, read) else { return nil }
    return Audit(ImageStatements(image), size: size)
  }

  /// Audits an image file of a format other than JPEG in memory.
  static func ofOtherFormat(_ file: [UInt8]) throws(UprightError) -> Audit? {
    guard let image = try ImageStatements.image(file) else { return nil }
    return Audit(ImageStatements(image), size: file.count)
  }
}

extension ImageStatements {
  /// Reads the header of an image file of a format other than JPEG, of which the first bytes have been read; nil if it
  /// is of no format that is known.
  static func image<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    _ read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> ImageFacts? {
    guard var reader = ImageReader(beginning, size: size) else { return nil }
    while true {
      let step: ImageReader.Step
      do throws(ReadingStop) { step = try reader.step() } catch {
        throw .content(UprightError(error))
      }
      switch step {
      case .facts(let image): return image
      case .needs(let offset, let count):
        let bytes = try PhotoReader.part(offset..<offset + count, read)
        guard bytes.count == min(count, size - offset) else {
          throw .content(
            UprightError(.truncated, at: offset + bytes.count, "the file ends too early")
          )
        }
        do throws(ReadingStop) {
          try reader.add(bytes, at: offset)
        } catch { throw .content(UprightError(error)) }
      }
    }
  }

  /// Reads the header of an image file in memory.
  static func image(_ file: [UInt8]) throws(UprightError) -> ImageFacts? {
    do throws(ReadingError<Never>) {
      let beginning = Array(file.prefix(ImageReader.smallRead))
      return try image(beginning, size: file.count) { (offset, count) throws(Never) in
        Array(file[min(offset, file.count)..<min(offset + count, file.count)])
      }
    } catch {
      guard case .content(let problem) = error else { return nil }
      throw problem
    }
  }
}

extension UprightError {
  init(_ stop: ReadingStop) {
    guard case .failed(let failure) = stop else {
      self.init(.malformed, "the reader has ended")
      return
    }
    let code: Code =
      switch failure.problem {
      case .truncated: .truncated
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .limit: .limit
      }
    self.init(code, at: failure.offset, failure.message)
  }
}

extension Audit {
  fileprivate init(_ statements: ImageStatements, size: Int) {
    let image = statements.image
    var facts = statements.facts
    facts.size = size
    facts.format = image.format.rawValue
    facts.formatOrientation = image.stated.map { Orientation(uprightBy: $0) }
    facts.orientationsAgree = statements.contradiction == nil
    facts.isMotionPhoto = image.hasVideo
    facts.hasContentCredentials = image.hasCredentials
    facts.trailingBytes = 0
    facts.embeddedImages = image.images.map { EmbeddedImage($0) }
    if facts.embeddedImages.contains(where: { $0.role == .gainMap }) { facts.hasGainMap = true }
    self.facts = facts
    var info = ImageInfo(width: image.width, height: image.height)
    if statements.states { info.orientation = statements.shown }
    plan = Plan(
      image: info,
      action: statements.action,
      crop: nil,
      changes: [],
      embeddedImages: [],
      notes: image.notes
    )
  }
}

/// What the parts of an image file state about its orientation, and which statement holds.
struct ImageStatements {
  let image: ImageFacts
  /// The facts of Exif and XMP.
  private(set) var facts = Facts()
  /// The values in the order of their weight, each with the name of its place.
  private(set) var values: [(place: String, value: Int64)] = []

  init(_ image: ImageFacts) {
    self.image = image
    if let tag = image.tag { values.append(("IFD0", tag)) }
    facts.exifOrientation = image.tag
    facts.camera = Self.camera(image)
    for part in image.exif { read(exif: part.bytes) }
    for part in image.xmp {
      // An invalid packet states nothing.
      guard let packet = try? XMPPacket(part.bytes) else { continue }
      let block = XMPBlock(packet)
      var after = XMPFacts()
      after.read(block, &facts)
      if let value = block.orientation { values.append(("XMP", value)) }
    }
  }

  private static func camera(_ image: ImageFacts) -> String? {
    guard let make = image.make, let model = image.model else { return image.model ?? image.make }
    let brand = make.prefix { $0 != " " }.lowercased()
    return model.lowercased().hasPrefix(brand) ? model : "\(make) \(model)"
  }

  private mutating func read(exif content: [UInt8]) {
    let bytes = content.span
    guard let block = TIFFBlock(bytes, in: 0..<content.count) else { return }
    if let value = block.integer(.ifd0, ExifTag.orientation, bytes) {
      values.append(("Exif", value))
      facts.exifOrientation = facts.exifOrientation ?? value
    }
    facts.camera = facts.camera ?? block.camera(bytes)
    facts.captured = facts.captured ?? block.captureTime(bytes)
    if block.hasPosition(bytes) {
      facts.hasPosition = true
      facts.position = facts.position ?? Facts.Position(block, bytes)
    }
    if !block.entries(.exif, ExifTag.subjectArea).isEmpty
      || !block.entries(.exif, ExifTag.subjectLocation).isEmpty
    {
      facts.hasSubjectArea = true
    }
  }

  /// What states the orientation in the format itself, with its verb; nil if Exif's Orientation is all that there is.
  ///
  /// HEIF: ISO/IEC 23000-22 (MIAF), 7.3.10.1; JPEG XL: ISO/IEC 18181-1, D.3.2.
  var ownPlace: String? {
    switch image.format {
    case .heic, .heif, .avif: "irot and imir give"
    case .jxl: "the codestream gives"
    case .jpeg, .tiff, .dng, .png, .webp: nil
    }
  }

  /// Whether anything states an orientation.
  var states: Bool { image.stated != nil || !values.isEmpty }

  /// The orientation in which readers that follow the format's standard show the image.
  var shown: Orientation {
    if ownPlace != nil { return Orientation(uprightBy: image.stated ?? .none) }
    return values.first { $0.place != "XMP" }.flatMap {
      Orientation(rawValue: Int(clamping: $0.value))
    }
      ?? .up
  }

  /// The first value by which another reader shows the image in another orientation.
  ///
  /// Where the format has its own statement, 1 in Exif contradicts nothing: it is what the standard asks for.
  var contradiction: (place: String, value: Int64)? {
    values.first {
      guard $0.value != 0 else { return false }
      return $0.value != Int64(shown.rawValue) && (ownPlace == nil || $0.value != 1)
    }
  }

  var action: Action {
    let name = image.format.name
    if let other = contradiction {
      guard let orientation = Orientation(rawValue: Int(clamping: other.value)) else {
        return .skip(.reservedOrientation(other.value))
      }
      let ruling =
        if let ownPlace {
          image.stated == nil ? "there is neither irot nor imir" : "\(ownPlace) \(shown.rawValue)"
        } else {
          values[0].place == "XMP"
            ? "there is none in Exif" : "\(values[0].place) gives \(shown.rawValue)"
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

extension EmbeddedImage {
  fileprivate init(_ image: ImageFacts.SecondaryImage) {
    let role: Role =
      switch image.role {
      case .thumbnail: .thumbnail
      case .gainMap: .gainMap
      case .depthMap: .depthMap
      case .matte: .matte
      case .unknown: .unknown
      }
    self.init(
      role: role,
      range: image.range,
      width: image.width,
      height: image.height,
      disposition: .kept
    )
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
}

extension Reason.Code {
  /// The parts of an image file state different orientations, and readers differ in which one they obey.
  public static let orientationsDisagree = Reason.Code(rawValue: "orientations-disagree")
  /// The format of the file has its own orientation, which every reader applies.
  public static let appliedByReaders = Reason.Code(rawValue: "applied-by-readers")
  /// The image is not upright, and its format is not rewritten.
  public static let otherFormat = Reason.Code(rawValue: "other-format")
}
