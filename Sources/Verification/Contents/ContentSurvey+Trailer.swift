internal import FileBytes
internal import ISOBMFF
internal import Upright

/// The bytes after an image.
extension ContentSurvey {
  /// Surveys bytes between or after images, of which some may begin like an image.
  mutating func surveyTrailer(_ range: Range<Int>, besides images: [SearchedImage] = []) {
    var rest = range
    while let end = surveyEnd(of: rest) { rest = rest.lowerBound..<end }
    while let start = surveyStart(of: rest) { rest = start..<rest.upperBound }
    guard !rest.isEmpty else { return }
    let whole = images.filter { $0.isComplete && rest.contains($0.range.lowerBound) }
    for image in whole {
      if !isRegistered(image.range) {
        add(.trailer, "a JPEG image that no index lists", at: image.range.lowerBound)
      }
      surveyBytes(rest.lowerBound..<image.range.lowerBound)
      rest = min(image.range.upperBound, rest.upperBound)..<rest.upperBound
    }
    surveyBytes(rest)
  }

  private mutating func surveyBytes(_ range: Range<Int>) {
    guard let start = file[range].firstIndex(where: { !Self.isPadding($0) }),
      !isRegistered(range)
    else { return }
    let label = Self.label(file[start..<range.upperBound])
    add(.trailer, label.map { "\u{201C}\($0)\u{201D}" } ?? "bytes", at: start)
  }

  private static func isPadding(_ byte: UInt8) -> Bool { byte == 0 || byte == 0xFF }

  // MARK: Boxes

  private static let videoBoxes: Set<FourCharacterCode> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "udta", "meta", "mpvd", "moof", "sidx",
    "mfra", "styp", "pdin",
  ]

  /// Surveys padding, or a box of a video, at the start of bytes; returns its end, or nil if there is none.
  private mutating func surveyStart(of range: Range<Int>) -> Int? {
    let file = self.file
    let bytes = file.span
    guard let start = file[range].firstIndex(where: { !Self.isPadding($0) }) else {
      return range.isEmpty ? nil : range.upperBound
    }
    // The length of a box begins with zeros.
    let place = stride(from: max(range.lowerBound, start - 3), through: start, by: 1).first {
      bytes.uint32(at: $0 + 4).map { Self.videoBoxes.contains(FourCharacterCode(rawValue: $0)) }
        ?? false
    }
    guard let place, place + 8 <= range.upperBound else { return nil }
    do throws(FormatError) {
      let box = try Box(bytes, at: place, in: 0..<file.count)
      guard box.range.upperBound <= range.upperBound else { return range.upperBound }
      return box.range.upperBound
    } catch {
      addProblem("the video after the image", error.message, at: place)
      return range.upperBound
    }
  }

  // MARK: Trailers that are read from their end

  /// Surveys the trailer at the end of bytes; returns where it starts, or nil if none is known.
  private mutating func surveyEnd(of range: Range<Int>) -> Int? {
    let file = self.file
    let (bytes, end) = (file.span, range.upperBound)
    guard range.count >= 12 else { return nil }
    if bytes.hasPrefix("SEFT", at: end - 4) { return surveySamsung(range) }
    if bytes.hasPrefix("QDIOBS", at: end - 6) { return surveySamsung(range.dropLast(2)) }
    if bytes.hasPrefix("AXS", at: end - 12) { return surveyAFCP(range) }
    if range.count >= 64, bytes.hasPrefix("CANON OPTIONAL DATA\0", at: end - 64) {
      return surveyCanon(range)
    }
    if bytes.uint32(at: end - 4) == 0xA1B2_C3D4 { return surveyFotoStation(range) }
    if bytes.hasPrefix("cbipcbbl", at: end - 8) { return surveyPhotoMechanic(range) }
    return surveyMIE(range)
  }

  /// Surveys a trailer of MIE, of which only the end is read: its last element gives its length in 4 or 8 bytes.
  private mutating func surveyMIE(_ range: Range<Int>) -> Int? {
    let file = self.file
    let (bytes, end) = (file.span, range.upperBound)
    guard
      let width = [4, 8].first(where: {
        range.count >= 14 + $0 && bytes[end - 1] == $0
          && bytes.hasPrefix("~\0\u{4}\0zmie~\0\0", at: end - 14 - $0)
      })
    else { return nil }
    let number = file[end - 2 - width..<end - 2]
    let isLittle = bytes[end - 2] & 8 != 0
    let length = (isLittle ? Array(number.reversed()) : Array(number)).reduce(0) {
      $0 << 8 | Int($1 & ($0 >> 32 == 0 ? 0xFF : 0))
    }
    guard length >= 14 + width, length <= range.count, bytes[end - length] == 0x7E else {
      return cut("the MIE trailer", range)
    }
    add(trailer: "MIE", end - length..<end)
    return end - length
  }

  /// Adds the content of a trailer whose start and end were found.
  private mutating func add(trailer name: String, _ range: Range<Int>) {
    if !isRegistered(range) { add(.trailer, name, at: range.lowerBound) }
  }

  private mutating func cut(_ name: String, _ range: Range<Int>) -> Int {
    addProblem(name, "its start is not where its end says", at: range.lowerBound)
    return range.lowerBound
  }

  /// The blocks of Samsung's trailer that have no positions: audio, a video, times, the country, the mode of the camera.
  private static let samsungBlocks: Set<UInt16> = [
    0x0100, 0x0A01, 0x0A30, 0x0A31, 0x0A33, 0x0AA1, 0x0C61, 0x0001, 0x0A20, 0x0AB1, 0x0B41, 0xA050,
  ]

  private mutating func surveySamsung(_ range: Range<Int>) -> Int {
    let file = self.file
    let bytes = file.span
    let name = "Samsung's trailer"
    let end = range.upperBound - 8
    guard end >= range.lowerBound, let length = bytes.uint32(at: end, .little).map({ Int($0) }),
      length >= 12, length <= end - range.lowerBound, bytes.hasPrefix("SEFH", at: end - length),
      let count = bytes.uint32(at: end - length + 8, .little).map({ Int($0) }),
      count <= (length - 12) / 12
    else { return cut(name, range) }
    let directory = end - length
    var first = directory
    for number in 0..<count {
      let entry = directory + 12 + 12 * number
      guard let type = bytes.uint16(at: entry + 2, .little),
        let distance = bytes.uint32(at: entry + 4, .little).map({ Int($0) }),
        let size = bytes.uint32(at: entry + 8, .little).map({ Int($0) }), size <= distance,
        distance <= directory - range.lowerBound, size >= 8,
        bytes.uint16(at: directory - distance + 2, .little) == type
      else {
        addProblem(name, "a block is not where its directory says", at: entry)
        continue
      }
      let block = directory - distance..<directory - distance + size
      first = min(first, block.lowerBound)
      guard !Self.samsungBlocks.contains(type), !isRegistered(block) else { continue }
      let text = min(bytes.uint32(at: block.lowerBound + 4, .little).map { Int($0) } ?? 0, size - 8)
      let label = Self.label(file[block.dropFirst(8).prefix(text)]) ?? Self.number(type)
      add(.trailer, "Samsung\u{2019}s block \(label)", at: block.lowerBound)
    }
    return first
  }

  private mutating func surveyAFCP(_ range: Range<Int>) -> Int {
    let file = self.file
    let (bytes, end) = (file.span, range.upperBound)
    let name = "the AFCP trailer"
    let order: ByteOrder = bytes.hasPrefix("AXS*", at: end - 12) ? .little : .big
    // Its offsets count from the start of the file.
    guard let start = bytes.uint32(at: end - 8, order).map({ Int($0) }),
      range.contains(start), bytes.hasPrefix("AXS", at: start),
      let count = bytes.uint16(at: start + 6, order).map({ Int($0) }),
      count <= (end - 12 - start) / 12
    else { return cut(name, range) }
    for number in 0..<count {
      let entry = start + 12 + 12 * number
      guard let size = bytes.uint32(at: entry + 4, order).map({ Int($0) }),
        let place = bytes.uint32(at: entry + 8, order).map({ Int($0) }), place <= file.count,
        size <= file.count - place
      else {
        addProblem(name, "a part is not where its directory says", at: entry)
        continue
      }
      let label = Self.label(file[entry..<entry + 4]) ?? "a part"
      guard label != "IPTC", label != "TEXT" else { continue }
      add(trailer: "AFCP \(label)", start..<end)
    }
    return start
  }

  private mutating func surveyCanon(_ range: Range<Int>) -> Int {
    let file = self.file
    let (bytes, end) = (file.span, range.upperBound)
    guard let size = bytes.uint32(at: end - 44).map({ Int($0) }), size <= range.count - 92,
      bytes.hasPrefix("CANON OPTIONAL DATA\0", at: end - 64 - size - 28)
    else { return cut("the trailer CanonVRD", range) }
    let start = end - 64 - size - 28
    add(trailer: "CanonVRD", start..<end)
    return start
  }

  private mutating func surveyFotoStation(_ range: Range<Int>) -> Int {
    let file = self.file
    let (bytes, end) = (file.span, range.upperBound)
    guard let type = bytes.uint16(at: end - 10), let size = bytes.uint32(at: end - 8),
      size >= 10, Int(clamping: size) <= range.count
    else { return cut("the trailer of FotoStation", range) }
    let start = end - Int(size)
    let names: [UInt16: String] = [1: "", 2: "SoftEdit", 3: "thumbnail", 4: "preview"]
    let label = names[type] ?? "\(type)"
    if !label.isEmpty { add(trailer: "FotoStation\u{2019}s \(label)", start..<end) }
    return start
  }

  private mutating func surveyPhotoMechanic(_ range: Range<Int>) -> Int {
    let end = range.upperBound
    guard let size = file.span.uint32(at: end - 12), Int(clamping: size) <= range.count - 12 else {
      return cut("the trailer of Photo Mechanic", range)
    }
    let start = end - 12 - Int(size)
    add(trailer: "Photo Mechanic", start..<end)
    return start
  }
}
