internal import FileBytes
package import ISOBMFF
internal import ImageFormats
internal import ImageOrientation
internal import XMPPacket

/// What the parts of an image file state about its orientation, and which statement holds.
package struct OrientationStatements: Sendable {
  let image: FormatHeader
  /// The size of the file in bytes.
  let size: Int
  /// The Exif blocks, with offsets in the content of their parts; nil for one that cannot be read.
  private(set) var exif: [(part: MetadataPart, block: TIFFBlock?)] = []
  /// The XMP packets that can be read.
  private(set) var packets: [(part: MetadataPart, block: XMPBlock)] = []
  /// The problem of an XMP packet that is too large or too deep: others may read it.
  private(set) var xmpExcess: String?
  /// The values in the order of their weight.
  private(set) var values: [Statement] = []

  /// The parts of the file that were read.
  private var parts: [(bytes: [UInt8], start: Int)] = []

  struct Statement: Sendable {
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
  ///
  /// `ending` is that of the file's name, without a dot.
  static func read<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    ending: String? = nil,
    _ read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> OrientationStatements? {
    var parts = [(bytes: beginning, start: 0)]
    do throws(HeaderError<Failure>) {
      let image = try FormatHeader.read(beginning, size: size, ending: ending) {
        (offset, count) throws(Failure) in
        let part = try read(offset, count)
        parts.append((part, offset))
        return part
      }
      guard let image else { return nil }
      return OrientationStatements(image, size: size, parts)
    } catch {
      switch error {
      case .content(let error): throw .content(UprightError(error))
      case .reader(let error): throw .reader(error)
      }
    }
  }

  /// Reads the header of a whole file; nil if it is of no other format, or cannot be read.
  init?(_ file: [UInt8]) {
    do throws(ReadingError<Never>) {
      let statements = try Self.read(file, size: file.count) { (_, _) throws(Never) in [] }
      guard let statements else { return nil }
      self = statements
    } catch { return nil }
  }

  private init(_ image: FormatHeader, size: Int, _ parts: [(bytes: [UInt8], start: Int)]) {
    (self.image, self.size, self.parts) = (image, size, parts)
    let own = image.primaryPages
    for index in own + image.pages.indices.filter({ !own.contains($0) }) {
      guard let tag = image.pages[index].tag else { continue }
      let place = index == 0 ? "IFD0" : "page \(index + 1)"
      let statement = Statement(place: place, value: tag, page: index)
      index == image.primaryPage ? values.insert(statement, at: 0) : values.append(statement)
    }
    for part in image.exif {
      let bytes = part.content.span
      let block = TIFFBlock(bytes, in: part.range)
      exif.append((part, block))
      if let value = block?.integer(.ifd0, ExifTag.orientation, bytes) {
        values.append(Statement(place: "Exif", value: value))
      }
    }
    for part in image.xmp {
      let packet: XMPPacket
      do throws(XMPError) { packet = try XMPPacket(part.bytes) } catch {
        // An invalid packet states nothing.
        if error.isOfThisReader { xmpExcess = xmpExcess ?? "\(error)" }
        continue
      }
      let block = XMPBlock(packet)
      packets.append((part, block))
      if let value = block.orientation { values.append(Statement(place: "XMP", value: value)) }
    }
  }

  /// Returns whether all that was read is part of a file.
  func isRead(from file: [UInt8]) -> Bool {
    file.count == size
      && parts.allSatisfy { part in
        part.start + part.bytes.count <= file.count
          && part.bytes.elementsEqual(file[part.start..<part.start + part.bytes.count])
      }
  }

  /// What states the orientation in the format itself, with its verb; nil if Exif's Orientation is all that there is.
  var ownPlace: String? { image.format.orientationStatement }

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

  /// The properties of the image; the orientation is nil if nothing states one.
  var info: ImageInfo {
    ImageInfo(
      format: image.format,
      size: PixelSize(width: image.width, height: image.height),
      orientation: states ? shown : nil
    )
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
