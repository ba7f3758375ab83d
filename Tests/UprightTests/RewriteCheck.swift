import ExifReference
import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Upright

/// Holds a rewritten file against its original, jpegtran, djpeg, libexif and its own undo record.
struct RewriteCheck {
  var original: ImageFile
  var result: ImageFile
  var rewrite: Rewrite
  var transform: OrientationTransform
  var edges: Edges
  private(set) var complaints: [String] = []

  /// Everything that is wrong with a rewritten file, in words; empty where nothing is.
  static func complaints(_ rewrite: Rewrite, of original: [UInt8]) throws -> [String] {
    guard case .transform(let transform, let edges) = rewrite.plan.action else {
      return ["the action is \(rewrite.plan.action)"]
    }
    var check = RewriteCheck(
      original: try ImageFile(original),
      result: try ImageFile(rewrite.bytes),
      rewrite: rewrite,
      transform: transform,
      edges: edges
    )
    switch edges {
    case .lossless: try check.checkImage(partialMCUs: "-perfect")
    case .trimmed: try check.checkImage(partialMCUs: "-trim")
    case .reencoded(let kept, let count): try check.checkRedraw(kept: kept, of: count)
    }
    try check.checkUndo()
    check.checkChanges()
    try check.checkStructure()
    check.checkTags()
    try check.checkOutcome()
    return check.complaints
  }

  private init(
    original: ImageFile,
    result: ImageFile,
    rewrite: Rewrite,
    transform: OrientationTransform,
    edges: Edges
  ) {
    self.original = original
    self.result = result
    self.rewrite = rewrite
    self.transform = transform
    self.edges = edges
  }

  mutating func require(_ condition: Bool, _ complaint: @autoclosure () -> String) {
    if !condition { complaints.append(complaint()) }
  }

  /// The coefficients and the pixels are those that jpegtran and djpeg give.
  private mutating func checkImage(partialMCUs: String) throws {
    let options = [partialMCUs] + Tool.jpegtranOptions(transform.rawValue)
    let expected = try Tool.jpegtran(original.bytes, options)
    require(
      try !hasPixels || Tool.djpeg(result.bytes) == Tool.djpeg(expected),
      "djpeg decodes other pixels than from jpegtran's result"
    )
    let (ours, theirs) = (result, try ImageFile(expected))
    let (a, b) = (try ours.coefficients(), try theirs.coefficients())
    require(a.planes == b.planes, "the blocks are not arranged as jpegtran's")
    require(a.isEqual(to: b), "a coefficient is not jpegtran's")
    let tables = [ours, theirs].map { $0.quantization() }
    require(tables[0] == tables[1], "the quantization tables are not jpegtran's")
  }

  /// The listed changes are all the changes, and the planned ones are among them.
  private mutating func checkChanges() {
    let ranges = rewrite.changes.map(\.range)
    require(
      zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound },
      "the changes overlap or are not in file order"
    )
    var rebuilt = original.bytes
    for change in rewrite.changes.reversed() {
      rebuilt.replaceSubrange(change.range, with: change.replacement)
    }
    require(rebuilt == result.bytes, "bytes outside of the listed changes are different")
    require(
      Set(rewrite.plan.changes).isSubset(of: rewrite.changes),
      "a planned change is not among those that were made"
    )
    for change in rewrite.changes {
      let isCoding = original.codingRanges.contains {
        $0.lowerBound <= change.range.lowerBound && change.range.upperBound <= $0.upperBound
      }
      func isWithin(_ kind: SegmentKind) -> Bool {
        original.container.segments(kind, in: original.bytes.span).contains {
          $0.range.contains(change.range)
        }
      }
      let isMetadata: Bool
      switch change.field.rawValue.split(separator: ".").first {
      case "exif": isMetadata = isWithin(.exif)
      // A thumbnail that has grown is at the end of its segment.
      case "thumbnail": isMetadata = isWithin(.exif) || change.range.isEmpty
      case "xmp": isMetadata = isWithin(.xmp) || isWithin(.extendedXMP)
      case "photoshop": isMetadata = isWithin(.photoshop)
      case "app12":
        isMetadata = original.container.segments.contains {
          $0.marker == .app(12) && $0.range.contains(change.range)
        }
      case "mpf": isMetadata = isWithin(.multiPicture)
      default: isMetadata = change.range.lowerBound >= original.container.end
      }
      require(
        isCoding || isMetadata,
        "\(change.field) changes bytes that belong to something else"
      )
    }
  }

  /// Markers, scans and restart intervals are as they were, and what follows the image too.
  private mutating func checkStructure() throws {
    let (old, new) = (original, result)
    require(
      new.container.segments.map(\.marker) == old.container.segments.map(\.marker),
      "the markers or their order changed"
    )
    require(new.frame.process == old.frame.process, "the coding process changed")
    require(try new.scanHeaders() == old.scanHeaders(), "the scan headers changed")
    require(
      new.payloads(.defineRestartInterval) == old.payloads(.defineRestartInterval),
      "the restart interval changed"
    )
    require(new.frame == expectedFrame, "the frame is not the transformed one")
    let isFollowed = rewrite.changes.contains {
      $0.range.lowerBound >= original.container.end
    }
    // What is listed with its place can move.
    let isIndexed = rewrite.changes.contains { $0.field.rawValue.hasPrefix("mpf.") }
    require(isFollowed || new.trailer == old.trailer, "what follows the image changed")
    require(
      isReencoded || isIndexed || old.trailer.isEmpty || new.bytes.count == old.bytes.count,
      "what follows the image moved"
    )
    if try !isReencoded && old.hasOptimizedTables() {
      let (before, after) = (old.bytes.count, new.bytes.count)
      require(
        try after <= before + before / 100 + 64 || after <= sizeByJpegtran(),
        "the file grew from \(before) to \(after) bytes"
      )
    }
  }

  /// The size at which jpegtran's growth is exceeded by a hundredth: a transposition can cost bits, because the
  /// coefficients of an optimized image come in an order that suits it less.
  private func sizeByJpegtran() throws -> Int {
    let transform = ["-trim", "-optimize"] + Tool.jpegtranOptions(transform.rawValue)
    let before = try Tool.jpegtran(original.bytes, ["-optimize"]).count
    let after = try Tool.jpegtran(original.bytes, transform).count
    return original.bytes.count * max(before, after) / before * 101 / 100 + 64
  }

  private var isReencoded: Bool {
    guard case .reencoded = edges else { return false }
    return true
  }

  /// Whether djpeg writes the pixels, for which it needs a format: it has none for two components.
  var hasPixels: Bool { original.frame.components.count != 2 }

  /// The frame that the result must have.
  private var expectedFrame: Frame {
    guard isReencoded else {
      return original.frame.trimmed(for: transform).transformed(by: transform)
    }
    var frame = original.frame.transformed(by: transform)
    // Re-encoded components have tables of their own.
    for (index, component) in result.frame.components.prefix(frame.components.count).enumerated() {
      frame.components[index].quantizationTable = component.quantizationTable
    }
    return frame
  }

  /// libexif reads the same tags as before, but for those that describe the raster.
  private mutating func checkTags() {
    for (old, new) in zip(original.exif, result.exif) {
      guard let before = ExifReference(app1Payload: old) else { continue }
      guard let after = ExifReference(app1Payload: new) else {
        complaints.append("libexif does not read the Exif block any more")
        continue
      }
      // XMP, Photoshop's resources and IPTC in Exif may hold a copy of Orientation.
      let hasCopies = rewrite.changes.contains {
        $0.field.rawValue.hasPrefix("exif.ifd0.xmp")
          || $0.field.rawValue.hasPrefix("exif.ifd0.photoshop")
          || $0.field.rawValue.hasPrefix("exif.ifd0.iptc")
      }
      func kept(_ reference: ExifReference) -> [ReferenceTag] {
        reference.tagsKept.filter { !hasCopies || ![0x02BC, 0x83BB, 0x8649].contains($0.tag) }
      }
      require(
        kept(before) == kept(after),
        "libexif reads another tag that should be as it was"
      )
      require(
        before.tags.map { [$0.tag, $0.format, UInt16($0.components)] }
          == after.tags.map { [$0.tag, $0.format, UInt16($0.components)] },
        "a tag changed its type or count"
      )
      require(before.makerNote == after.makerNote, "libexif reads another maker note")
      for tag in after.tags where tag.directory == .ifd0 && tag.tag == ExifTag.orientation {
        require(tag.number(after.byteOrder) == 1, "libexif reads Orientation \(tag.text)")
      }
      for (number, size) in [
        (ExifTag.pixelXDimension, result.frame.width),
        (ExifTag.pixelYDimension, result.frame.height),
      ] {
        guard let tag = after.tag(number, in: .exif), tag.isInteger else { continue }
        // Where the dimensions are those in units of 1/72 inch, they are as many times that of the image as before.
        let old = [ExifTag.pixelXDimension, ExifTag.pixelYDimension].map {
          before.tag($0, in: .exif)?.number(before.byteOrder)
        }
        let scale = (old[0] ?? 0) / max(original.frame.width, 1)
        let resolution = before.tag(ExifTag.xResolution, in: .ifd0)?.text
        let isScaled =
          scale > 1 && resolution == "\(72 / scale)"
          && old == [original.frame.width, original.frame.height].map { $0 * scale }
        require(
          tag.number(after.byteOrder) == size * (isScaled ? scale : 1),
          "libexif reads \(tag.name) \(tag.text)"
        )
      }
    }
  }

  /// Doing it again does nothing.
  private mutating func checkOutcome() throws {
    guard case .unchanged(let plan) = try Rewriter().rewrite(result.bytes) else {
      complaints.append("the result is rewritten again")
      return
    }
    guard case .unchanged(let reason) = plan.action else {
      complaints.append("the result is not upright: \(plan.action)")
      return
    }
    let isSilent = original.silent && reason.code == .noOrientation
    require(
      reason.code == .upright || isSilent,
      "the result is not upright: \(reason.code.rawValue)"
    )
  }
}

extension ImageFile {
  /// The quantization tables of the components, in component order.
  func quantization() -> [[UInt16]] {
    var slots: [UInt8: [UInt16]] = [:]
    for segment in container.segments where segment.marker == .defineQuantizationTables {
      for table in (try? QuantizationTables(segment, in: bytes.span))?.tables ?? [] {
        slots[table.slot] = stride(
          from: table.elements.lowerBound,
          to: table.elements.upperBound,
          by: table.elementSize
        ).map { bytes[$0..<$0 + table.elementSize].reduce(0) { $0 << 8 | UInt16($1) } }
      }
    }
    return frame.components.map { slots[$0.quantizationTable] ?? [] }
  }

  /// Where a transform may change the coding: frame header, tables, scans, and the place of fill bytes.
  fileprivate var codingRanges: [Range<Int>] {
    let markers: [Marker] = [.defineQuantizationTables, .defineHuffmanTables]
    return container.segments.filter { $0.marker.startsFrame || markers.contains($0.marker) }
      .map(\.range) + container.scans.map(\.data)
      + (container.endOfImageOffset.map { [$0..<$0] } ?? [])
  }
}

extension ExifReference {
  /// The tags that a transform may not change.
  fileprivate var tagsKept: [ReferenceTag] {
    // Damaged pointers lead libexif to a directory that it reads under another name already.
    var seen: Set<[ReferenceTag]> = []
    return ReferenceTag.Directory.allCases.flatMap { directory in
      let own = tags.filter { $0.directory == directory }
      let nameless = own.map { tag in
        var tag = tag
        (tag.directory, tag.name) = (.ifd0, "")
        return tag
      }
      return seen.insert(nameless).inserted ? own.filter { !$0.describesRaster } : []
    }
  }
}

extension ReferenceTag {
  /// Whether a transform may change the tag.
  fileprivate var describesRaster: Bool {
    switch directory {
    case .ifd0: [ExifTag.orientation, ExifTag.imageWidth, ExifTag.imageLength].contains(tag)
    case .exif: [ExifTag.pixelXDimension, ExifTag.pixelYDimension].contains(tag)
    case .interoperability: [ExifTag.relatedImageWidth, ExifTag.relatedImageHeight].contains(tag)
    // The thumbnail is transformed too.
    case .ifd1:
      [
        ExifTag.orientation, ExifTag.imageWidth, ExifTag.imageLength, ExifTag.rowsPerStrip,
      ].contains(tag)
    case .gps: false
    }
  }

  fileprivate var isInteger: Bool { [1, 3, 4, 9].contains(format) }

  /// The first value of an integer tag.
  func number(_ order: ExifReference.ByteOrder) -> Int {
    let size = [1: 1, 3: 2, 4: 4, 9: 4][format] ?? 0
    let value = bytes.prefix(size)
    return (order == .bigEndian ? Array(value) : value.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
