internal import FileBytes
internal import ISOBMFF
internal import ImageFormats
internal import Upright

/// The boxes, items and chunks of other formats than JPEG.
extension ContentSurvey {
  /// Surveys a file of a format that is compared.
  mutating func survey(_ format: ImageFormat) {
    switch format.structure {
    case .heif: surveyHEIF()
    case .jxl: surveyJXL()
    case .png: surveyPNG()
    case .webp: surveyWebP()
    case .tiff:
      let container = ContainerBytes(file)
      surveyTIFF("the file", container, file.indices)
    default: break
    }
  }

  // MARK: HEIF and JPEG XL

  private static let boxes: Set<FourCharacterCode> = [
    "ftyp", "meta", "mdat", "idat", "free", "skip", "wide", "hdlr", "pitm", "iinf", "iloc", "iprp",
    "iref", "grpl", "dinf",
  ]
  /// Properties whose meaning is public, and which hold for the image before `irot` and `imir` or have no positions.
  private static let properties: Set<FourCharacterCode> = [
    "ispe", "pixi", "colr", "hvcC", "av1C", "avcC", "vvcC", "jpgC", "j2kH", "evcC", "lhvC", "uncC",
    "cmpd", "cmpC", "irot", "imir", "clap", "pasp", "auxC", "rloc", "lsel", "a1op", "a1lx", "oinf",
    "tols", "clli", "mdcv", "cclv", "amve", "ndwt", "reve", "iscl", "udes", "altt", "rref", "crtt",
    "mdft", "cmin", "cmex", "subs", "free", "skip",
  ]
  private static let items: Set<FourCharacterCode> = [
    "hvc1", "lhv1", "hvt1", "av01", "avc1", "vvc1", "evc1", "jpeg", "j2k1", "unci", "grid", "iovl",
    "iden", "tmap", "Exif",
  ]
  private static let groups: Set<FourCharacterCode> = [
    "altr", "ster", "pymd", "eqiv", "brst", "albc", "favc", "slid", "tsyn", "aebr", "wbbr", "fobr",
    "afbr", "dobr", "pano", "iaug",
  ]

  private mutating func surveyHEIF() {
    let file = self.file
    let bytes = file.span
    var place = 0
    while place < file.count {
      guard let box = try? Box(bytes, at: place, in: 0..<file.count) else {
        let type = bytes.uint32(at: place + 4).map { FourCharacterCode(rawValue: $0) }
        if let type, Self.boxes.contains(type) {
          return addProblem("the box \(type)", "it ends after the file", at: place)
        }
        return surveyTrailer(place..<file.count)
      }
      if box.type == "meta" {
        surveyItems(box)
      } else if !Self.boxes.contains(box.type) {
        add(.box, "\(box.type)", at: place)
      }
      place = box.range.upperBound
    }
  }

  private mutating func surveyItems(_ meta: Box) {
    let file = self.file
    let bytes = file.span
    guard let table = try? ItemTable(meta, bytes),
      let boxes = try? Box.boxes(bytes, in: meta.content.dropFirst(4))
    else { return addProblem("the box meta", "it cannot be read", at: meta.range.lowerBound) }
    for box in boxes {
      if box.type == "grpl" {
        for group in (try? Box.boxes(bytes, in: box.content)) ?? []
        where !Self.groups.contains(group.type) {
          add(.box, "grpl/\(group.type)", at: group.range.lowerBound)
        }
      } else if !Self.boxes.contains(box.type) {
        add(.box, "meta/\(box.type)", at: box.range.lowerBound)
      }
    }
    for property in table.properties where !Self.properties.contains(property.type) {
      add(.box, "ipco/\(property.type)", at: property.range.lowerBound)
    }
    for identifier in table.order {
      guard let item = table.items[identifier] else { continue }
      survey(item, meta)
    }
  }

  private mutating func survey(_ item: ItemTable.Item, _ meta: Box) {
    let place = item.extents?.first?.lowerBound ?? meta.range.lowerBound
    switch item.type {
    case "Exif":
      let container = ContainerBytes(item.extents ?? [], of: file)
      surveyExif(container, container.bytes.indices)
    case _ where item.isPacket:
      let container = ContainerBytes(item.extents ?? [], of: file)
      surveyXMP("the XMP packet", container, container.bytes.indices)
    case "mime":
      add(.item, "mime \(String(decoding: item.contentType, as: UTF8.self))", at: place)
    case _ where Self.items.contains(item.type): break
    default: add(.item, "\(item.type)", at: place)
    }
  }

  /// Surveys an Exif block after the number of bytes before it (ISO/IEC 23008-12, A.2.1).
  private mutating func surveyExif(_ container: ContainerBytes, _ range: Range<Int>) {
    let bytes = container.bytes.span
    let skipped = bytes.uint32(at: range.lowerBound).map { Int(clamping: $0) } ?? 0
    guard range.count > 4, skipped < range.count - 4 else {
      let text = "it ends before its TIFF header"
      return addProblem("the Exif block", text, at: container.offset(of: range.lowerBound))
    }
    var start = range.lowerBound + 4 + skipped
    // Some programs count no bytes although the identifier is before the header.
    if bytes.hasPrefix("Exif\0\0", at: start) { start += 6 }
    surveyTIFF("the Exif block", container, start..<max(start, range.upperBound))
  }

  private mutating func surveyJXL() {
    let file = self.file
    let bytes = file.span
    guard !bytes.hasPrefix([0xFF, 0x0A]) else { return }
    guard let boxes = try? Box.boxes(bytes, in: file.indices) else { return }
    let container = ContainerBytes(file)
    for box in boxes {
      switch box.type {
      case "JXL ", "ftyp", "jxlc", "jxlp", "jxli", "jxll", "jbrd", "jhgm", "free", "skip": break
      case "Exif": surveyExif(container, box.content)
      case "xml ": surveyXMP("the XMP packet", container, box.content)
      case "brob":
        let type = bytes.uint32(at: box.content.lowerBound).map { FourCharacterCode(rawValue: $0) }
        let name = type.map { "the box \($0)" } ?? "the box brob"
        addProblem(name, "it is compressed", at: box.range.lowerBound)
      default: add(.box, "\(box.type)", at: box.range.lowerBound)
      }
    }
  }

  // MARK: PNG and WebP

  private static let chunks: Set<FourCharacterCode> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV",
    "mDCv", "cLLI", "cLLi", "bKGD", "hIST", "pHYs", "sPLT", "tIME", "acTL", "fcTL", "fdAT", "iDOT",
    "oFFs", "pCAL", "sCAL", "sTER", "gIFg", "gIFx", "gIFt", "vpAg", "caNv",
  ]

  private mutating func surveyPNG() {
    let file = self.file
    let bytes = file.span
    let container = ContainerBytes(file)
    var place = 8
    while place < file.count {
      guard let length = bytes.uint32(at: place).map({ Int($0) }),
        let code = bytes.uint32(at: place + 4), length <= file.count - place - 8
      else { return addProblem("the file", "it ends within a chunk", at: place) }
      let (type, content) = (FourCharacterCode(rawValue: code), place + 8..<place + 8 + length)
      switch type {
      case "eXIf":
        let isNamed = bytes.hasPrefix("Exif\0\0", at: content.lowerBound)
        surveyTIFF("the Exif block", container, isNamed ? content.dropFirst(6) : content)
      case "tEXt", "zTXt", "iTXt": surveyText(type, content, container)
      case _ where Self.chunks.contains(type): break
      default: add(.chunk, "\(type)", at: place)
      }
      place = min(content.upperBound + 4, file.count)
      if type == "IEND" { break }
    }
    surveyTrailer(place..<file.count)
  }

  /// Surveys a text chunk: XMP, and what programs put into text instead of chunks of its own.
  private mutating func surveyText(
    _ type: FourCharacterCode,
    _ content: Range<Int>,
    _ container: ContainerBytes
  ) {
    let file = self.file
    let bytes = file.span
    var fields = IntegerReader(content)
    let keyword = String(decoding: fields.text(bytes), as: UTF8.self)
    if type == "iTXt", keyword == "XML:com.adobe.xmp" {
      guard fields.rest.count >= 2, bytes[fields.position] == 0 else {
        return addProblem("the XMP packet", "it is compressed", at: content.lowerBound)
      }
      _ = try? fields.integer(2, bytes)
      _ = fields.text(bytes)
      _ = fields.text(bytes)
      return surveyXMP("the XMP packet", container, fields.rest)
    }
    if keyword.hasPrefix("Raw profile type ") || keyword.hasPrefix("XML:") {
      add(.chunk, "\(type) \u{201C}\(keyword)\u{201D}", at: content.lowerBound)
    }
  }

  private mutating func surveyWebP() {
    let file = self.file
    let bytes = file.span
    let container = ContainerBytes(file)
    var place = 12
    while place + 8 <= file.count {
      let type = FourCharacterCode(rawValue: bytes.uint32(at: place) ?? 0)
      let length = bytes.uint32(at: place + 4, .little).map { Int($0) } ?? 0
      let isKnown = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"].contains(type)
      let isMetadata = type == "EXIF" || type == "XMP "
      guard length <= file.count - place - 8 else {
        guard isKnown || isMetadata else { break }
        return addProblem("the chunk \(type)", "it ends after the file", at: place)
      }
      let content = place + 8..<place + 8 + length
      if type == "EXIF" {
        let isNamed = bytes.hasPrefix("Exif\0\0", at: content.lowerBound)
        surveyTIFF("the Exif block", container, isNamed ? content.dropFirst(6) : content)
      } else if type == "XMP " {
        surveyXMP("the XMP packet", container, content)
      } else if !isKnown {
        add(.chunk, "\(type)", at: place)
      }
      place = min(content.upperBound + length % 2, file.count)
    }
    surveyTrailer(min(place, file.count)..<file.count)
  }
}
