internal import FileBytes
internal import ImageOrientation
internal import Upright
internal import XMPPacket

/// The comparison of Exif blocks and XMP packets.
extension FormatComparison {
  static func isBlock(_ part: FilePart) -> Bool { part.name == "the chunk eXIf" }

  static func blocks(_ parts: [FilePart]) -> [FilePart] { parts.filter { isBlock($0) } }

  mutating func compareAddedBlocks(_ mine: [FilePart], _ theirs: [FilePart]) {
    let lost = Self.blocks(mine)
    let added = Self.blocks(theirs)
    guard lost.isEmpty || added.isEmpty else {
      let text = "there are \(added.count) chunks eXIf instead of \(lost.count)"
      return add(.structureChanged, text, lost[0].range, added[0].range)
    }
    for part in lost + added {
      let isOld = !lost.isEmpty
      let file = isOld ? files.original : files.result
      let tree = try? TIFFTree(file.span, in: part.range)
      let entries = tree?.directories.first?.entries ?? []
      guard let tree, tree.directories.count == 1, entries.count == 1, part.range.count == 26,
        let value = tree.orientation(tree.directories[0], file.span)
      else {
        add(
          .structureChanged,
          "\(part.name) is \(isOld ? "missing" : "new")",
          isOld ? part.range : nil,
          isOld ? nil : part.range
        )
        continue
      }
      let none = 0..<0
      statements.append(
        Statement(
          kind: .exif,
          values: isOld ? (value, nil) : (nil, value),
          places: isOld ? (part.range, none) : (none, part.range)
        )
      )
      observations.append(
        .difference(
          "png.eXIf",
          isOld ? part.range : none,
          isOld ? none : part.range,
          old: isOld ? "\(value)" : "",
          new: isOld ? "removed" : "\(value)"
        )
      )
    }
  }

  mutating func compareExif(_ a: FilePart, _ b: FilePart) {
    guard let mine = try? TIFFTree(files.original.span, in: a.range),
      let theirs = try? TIFFTree(files.result.span, in: b.range),
      let first = mine.directories.first, let other = theirs.directories.first
    else { return compareBytes(a, b) }
    compareDirectories((mine, first), (theirs, other), .exif, "exif.ifd0")
    let shift = b.range.lowerBound - a.range.lowerBound
    checkUse(of: [first.range], in: mine, shift: shift)
    guard a.range.count == b.range.count, other.range.lowerBound == first.range.lowerBound + shift,
      other.range.count == first.range.count
    else {
      return add(.exifRebuilt, "the Exif block was rebuilt", a.range, b.range)
    }
    let form = (
      mine.form(first, files.original.span), theirs.form(other, files.result.span)
    )
    if form.0 != form.1 {
      add(.exifBytesChanged, "IFD0 differs in more than Orientation", first.range, other.range)
    }
    for piece in [FilePart("the Exif block", a.range)].excluding([first.range]) {
      let range = piece.range.lowerBound + shift..<piece.range.upperBound + shift
      guard !files.isEqual(piece.range, range) else { continue }
      let same = files.equalCount(piece.range, range)
      let text = "a byte of the Exif block differs"
      add(.exifBytesChanged, text, piece.range.dropFirst(same), range.dropFirst(same))
    }
  }

  #if canImport(CExif)
  /// Compares the tags that libexif reads: those of Exif blocks, and of TIFF files as far as it reads them.
  mutating func compareTags() {
    var (fields, places) = (observations.fields, [(Range<Int>, Range<Int>)]())
    if old.tree != nil {
      places.append((files.original.indices, files.result.indices))
      // The packet is a tag of IFD0, and was compared as XMP.
      if fields.contains("xmp.tiff.Orientation") { fields.insert("exif.ifd0.0x02BC") }
    }
    for (a, b) in zip(old.parts, new.parts) {
      if case .exif = a.content, case .exif = b.content { places.append((a.range, b.range)) }
    }
    for (a, b) in places {
      observations += TagComparison(files, a, b).differences(besides: fields)
    }
  }
  #endif

  /// Compares the Orientation of two directories.
  mutating func compareDirectories(
    _ a: (tree: TIFFTree, directory: TIFFTree.Directory),
    _ b: (tree: TIFFTree, directory: TIFFTree.Directory),
    _ kind: Statement.Kind,
    _ field: String
  ) {
    let values = (
      a.tree.orientation(a.directory, files.original.span),
      b.tree.orientation(b.directory, files.result.span)
    )
    let entries = (
      a.directory.first(TIFFTree.orientation), b.directory.first(TIFFTree.orientation)
    )
    let places = (
      entries.0?.value ?? a.directory.range, entries.1?.value ?? b.directory.range
    )
    statements.append(Statement(kind: kind, values: values, places: places))
    if let mine = entries.0, let theirs = entries.1, !isSame(mine, theirs) {
      add(.exifTagChanged, "Orientation has another type or count", places.0, places.1)
    }
    guard !files.isEqual(a.directory.range, b.directory.range) else { return }
    observations.append(
      .difference(
        "\(field).orientation",
        places.0,
        places.1,
        old: values.0.map { "\($0)" } ?? "",
        new: values.1.map { "\($0)" } ?? "removed"
      )
    )
  }

  /// Returns whether two entries have the same bytes but for their values.
  private func isSame(_ a: TIFFTree.Entry, _ b: TIFFTree.Entry) -> Bool {
    func bytes(_ entry: TIFFTree.Entry, _ file: [UInt8]) -> [UInt8] {
      var bytes = Array(file[entry.range])
      for index in entry.value?.clamped(to: entry.range) ?? 0..<0 {
        bytes[index - entry.place] = 0
      }
      return bytes
    }
    return bytes(a, files.original) == bytes(b, files.result)
  }

  mutating func comparePackets(_ a: FilePart, _ b: FilePart) {
    let mine: XMPPacket
    let theirs: XMPPacket
    do throws(XMPError) {
      mine = try XMPPacket(files.original.span.bytes(a.range))
      theirs = try XMPPacket(files.result.span.bytes(b.range))
    } catch {
      // Others may read it.
      if error.isOfThisReader, files.original != files.result {
        let text = "whether XMP gives another Orientation is not known: \(error)"
        add(.orientationStale, text, a.range, b.range)
      }
      return compareBytes(a, b)
    }
    let size = PixelSize(width: 0, height: 0)
    var comparison = XMPComparison(
      old: XMPBlock(mine, at: a.range.lowerBound),
      new: XMPBlock(theirs, at: b.range.lowerBound),
      transform: .none,
      sizes: (size, size)
    )
    let values = (Self.orientation(comparison.old), Self.orientation(comparison.new))
    // A value that is no number is compared as text.
    comparison.setsOrientation = values.1 != nil
    comparison.leavesRegions = true
    observations += comparison.compare()
    regions.append(RegionComparison(Array(zip(mine.properties, theirs.properties))))
    guard values.0 != nil || values.1 != nil else { return }
    statements.append(
      Statement(
        kind: .packet,
        values: (values.0.map { Int(clamping: $0) }, values.1.map { Int(clamping: $0) }),
        places: (a.range, b.range)
      )
    )
  }

  /// Compares the regions in the packets, of images of which the stored one is kept.
  mutating func compareRegions(_ made: OrientationTransform) {
    let (before, after): (OrientationTransform, OrientationTransform)
    if let items = old.items {
      before = items.shown ?? .none
      after = before.then(made)
    } else {
      before = Self.transform(statements.first { $0.isMain }?.values.old)
      after = before.then(made)
    }
    let isShownOnly = old.items != nil
    // In a file of which both frames have one size, they count in the stored image.
    let shown =
      isShownOnly || after.transposes ? before.inverse.then(after) : before.inverse
    for comparison in regions where made != .none {
      observations += comparison.observations(
        RegionFrames(
          orientation: before,
          stored: .none,
          shown: shown,
          oldSize: oldSize,
          isShownOnly: isShownOnly
        )
      )
    }
  }

  /// Returns Orientation in a packet, even if invalid.
  private static func orientation(_ block: XMPBlock) -> Int64? {
    block.own(XMPNamespace.tiff, "Orientation").lazy.compactMap { Int64($0.value) }.first
  }

  mutating func compareChecksums() {
    var known: [ArraySlice<UInt8>: Range<Int>] = [:]
    for chunk in old.checked.reversed() { known[files.original[chunk]] = chunk }
    for chunk in new.checked {
      let (result, end) = (files.result, chunk.upperBound)
      // A checksum that was wrong before is none of the result's.
      let before = known[files.result[chunk]]
      let stored = result.span.uint32(at: end)
      if let before {
        guard files.original.span.uint32(at: before.upperBound) != stored else { continue }
      }
      guard stored != result.span.bytes(chunk).crc32 else { continue }
      add(.checksumWrong, "the checksum of a PNG chunk is wrong", nil, end..<end)
    }
    if let mine = old.halves, let theirs = new.halves {
      let rest = (
        files.original.count - mine.upperBound, files.result.count - theirs.upperBound
      )
      if rest.0 != rest.1 {
        add(.partChanged, "the chunk iDOT no longer refers to image data", mine, theirs)
      }
    }
  }
}
