internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Updates the metadata of one image to describe the transformed image: Exif, JFIF and XMP, without thumbnails.
struct MetadataUpdater {
  private(set) var header: Header
  private(set) var raster: RasterTransform
  let options: Options
  /// Whether Orientation keeps its value.
  let keepsTag: Bool
  /// What becomes of the regions in Exif and XMP.
  let regions: RegionPlan
  /// The packets in other places than XMP segments.
  private let further: [FurtherXMP]
  /// The lengths in bytes of the container directory's items, by index; another number than the old one stays as it is.
  var itemLengths: [Int: (old: Int, new: Int)] = [:]
  var removedItems: Set<Int> = []
  var losesGainMap = false
  private(set) var edits: [Edit] = []
  /// Notes on fields that are kept.
  private(set) var notes: [Note] = []

  init(
    _ header: Header,
    _ raster: RasterTransform,
    _ options: Options,
    keepsTag: Bool = false,
    _ bytes: Span<UInt8>
  ) {
    (self.header, self.raster, self.options, self.keepsTag) = (header, raster, options, keepsTag)
    further = header.furtherXMP(bytes)
    regions = Self.regions(
      header,
      further.compactMap { $0.block },
      RegionGeometry(raster),
      remaining: keepsTag ? header.transform : .none,
      options,
      bytes
    )
    update(bytes)
  }

  /// The structure of the file, which the header and the raster share.
  var container: Container {
    get { header.container }
    set { (header.container, raster.container) = (newValue, newValue) }
  }

  /// The new Orientation; nil if it keeps its value.
  private var tag: Orientation? { keepsTag ? nil : .up }
  private var transform: OrientationTransform { raster.transform }
  private var transformed: PixelSize { raster.transformed.size }

  private static func regions(
    _ header: Header,
    _ further: [XMPBlock],
    _ geometry: RegionGeometry,
    remaining: OrientationTransform,
    _ options: Options,
    _ bytes: Span<UInt8>
  ) -> RegionPlan {
    var subject: RegionPlan.Subject?
    for block in header.exif where block.hasSubject {
      let isMovable = block.subjectEdits(geometry, bytes) != nil
      subject = isMovable && subject != .fixed ? .movable : .fixed
    }
    return RegionPlan(
      header.xmp + further,
      subject: subject,
      orientation: header.transform,
      remaining: remaining,
      geometry: geometry,
      policy: options.regions
    )
  }

  /// Makes the edits and the notes, of other lengths and images than before.
  mutating func update(_ bytes: Span<UInt8>) {
    (edits, notes) = xmpEdits
    for block in header.exif {
      edits += block.normalizationEdits(
        transform: transform,
        from: header.frame.size,
        to: transformed,
        orientation: tag,
        swapsResolution: options.resolution == .follow,
        bytes
      )
      if let geometry = regions.geometry(of: .subject) {
        edits += block.subjectEdits(geometry, bytes) ?? []
      }
    }
    if transform.transposes, options.resolution == .follow {
      for segment in header.container.segments(.jfif, in: bytes) {
        if let edit = Self.densityExchange(segment, bytes) { edits.append(edit) }
      }
    }
    if let tag {
      let copies = OrientationCopies(header, to: tag, bytes)
      edits += copies.edits
      notes += copies.notes
    }
    let packets = FurtherXMPEdits(header, further, bytes) { block in
      (tag.map { block.orientationValues($0) } ?? [], block.positionValues(regions))
    }
    edits += packets.edits
    notes += packets.notes
    let resources = ResourceReferences(header, raster, options.resolution, bytes)
    edits += resources.edits
    notes += resources.notes
    notes += regions.decisions.compactMap { $0.note }
    notes += keptFields(bytes)
  }

  private var xmpEdits: ([Edit], notes: [Note]) {
    var edits: [Edit] = []
    var notes: [Note] = []
    for block in header.xmp {
      var values = block.transformedValues(regions, orientation: tag)
      if let tag {
        values += block.rotationValues(from: header.orientation.usable, to: tag)
        if let note = block.rotationNote(from: header.orientation.usable, to: tag) {
          notes.append(note)
        }
      }
      var removed: [(range: Range<Int>, field: String)] = []
      for (index, item) in (ContainerDirectory(block)?.items ?? []).enumerated() {
        let field = "xmp.container.\(index)"
        if removedItems.contains(index), let element = item.element {
          removed.append((element, field))
        }
        if let length = item.length, let (old, new) = itemLengths[index], old != new,
          Int(length.value) == old
        {
          values.append(.init(length, "\(new)", field: "\(field).Length"))
        }
      }
      if losesGainMap {
        for property in block.own(XMPNamespace.gainMap, "Version") {
          if let range = block.packet.attributeRange(of: property) {
            removed.append((range, "xmp.hdrgm.Version"))
          }
        }
      }
      if let changes = block.edits(values, removing: removed) {
        edits += changes
      } else {
        // Orientation always fits; a stale one would make viewers rotate the image again.
        edits += tag.flatMap { block.edits(block.orientationValues($0)) } ?? []
        notes.append(
          Note(
            .xmpDimensionsStale,
            "the XMP packet has no room for the new dimensions; only its Orientation is set"
          )
        )
      }
    }
    return (edits, notes)
  }

  /// Returns the edit that swaps JFIF's Xdensity and Ydensity, or nil if they are equal.
  private static func densityExchange(_ segment: Segment, _ bytes: Span<UInt8>) -> Edit? {
    let at = segment.payload.lowerBound + 8
    guard segment.payload.count >= 12, let x = bytes.uint16(at: at),
      let y = bytes.uint16(at: at + 2), x != y
    else { return nil }
    return Edit(
      at..<at + 4,
      with: y.bytes(.big) + x.bytes(.big),
      field: Edit.Field("jfif.density", old: "\(x)×\(y)", new: "\(y)×\(x)")
    )
  }

  /// Returns notes on fields that are kept although they describe the image as it was stored.
  @ListBuilder<Note> private func keptFields(_ bytes: Span<UInt8>) -> [Note] {
    let keepsResolution = transform.transposes && options.resolution == .keep
    for block in header.exif where keepsResolution {
      // Those by which browsers show the image are swapped.
      let isDensity = block.density(of: header.frame.size, bytes)?.differs == true
      if !isDensity, block.differ(.ifd0, ExifTag.xResolution, ExifTag.yResolution, bytes) {
        Note.resolutionKept("XResolution and YResolution differ and are kept")
      }
      if block.differ(.exif, ExifTag.focalPlaneXResolution, ExifTag.focalPlaneYResolution, bytes) {
        Note.resolutionKept("FocalPlaneXResolution and FocalPlaneYResolution differ and are kept")
      }
    }
    for segment in header.separateExif {
      Note(
        .metadataNotRead,
        "an Exif segment of \(segment.range.count) bytes continues no block and is kept"
      )
    }
    for segment in header.container.segments(.jfif, in: bytes) {
      if keepsResolution, Self.densityExchange(segment, bytes) != nil {
        Note.resolutionKept("JFIF's densities differ by axis and are kept")
      }
      let size = segment.payload.lowerBound + 12
      if !raster.isCropped, segment.payload.count >= 14, bytes[size] > 0, bytes[size + 1] > 0 {
        Note.thumbnailKept(in: "the JFIF segment")
      }
    }
    for block in header.xmp where raster.isCropped {
      if block.packet.properties.contains(where: { $0.namespace == XMPNamespace.panorama }) {
        Note(
          .regionKept,
          "the panorama geometry in XMP is kept and describes the image before the crop"
        )
      }
    }
    for (kind, name) in [(SegmentKind.jfifExtension, "JFXX"), (.photoshop, "Photoshop")]
    where !raster.isCropped && hasThumbnail(kind, bytes) {
      Note.thumbnailKept(in: "the \(name) segment")
    }
    for block in header.exif {
      let resources = block.entries(.ifd0, ExifTag.imageResources).compactMap { $0.value }
      if resources.contains(where: { Self.hasThumbnail($0, bytes) }) {
        Note.thumbnailKept(in: "Photoshop's resources in Exif")
      }
    }
  }

  private func hasThumbnail(_ kind: SegmentKind, _ bytes: Span<UInt8>) -> Bool {
    header.container.segments(kind, in: bytes).contains { segment in
      kind == .jfifExtension || Self.hasThumbnail(segment.payload, bytes)
    }
  }

  private static func hasThumbnail(_ resources: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    // The signature and number of the image resources 1036 and 1033.
    let signatures: [StaticString] = ["8BIM\u{4}\u{C}", "8BIM\u{4}\u{9}"]
    return signatures.contains { bytes.firstOffset(of: $0, in: resources) != nil }
  }
}

extension Note {
  fileprivate static func thumbnailKept(in name: String) -> Note {
    let text = "the thumbnail in \(name) is kept and shows the image as it was stored"
    return Note(.thumbnailKept, text)
  }

  /// Returns the note on resolutions that are kept.
  static func resolutionKept(_ text: String) -> Note {
    Note(.resolutionKept, text, remedies: [Remedy(.policy("resolution", "follow"), "swap them")])
  }
}
