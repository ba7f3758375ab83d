internal import ISOBMFF
internal import ImageFormats
internal import ImageOrientation
internal import Upright

/// Compares two files of a format other than JPEG, of which only the statements about the orientation may differ.
///
/// All other bytes must be the same, except for sizes and offsets that follow a change; these are compared by what they
/// refer to.
struct FormatComparison {
  let files: ComparedFiles
  /// The expected transform of the displayed image.
  let then: OrientationTransform
  let old: DissectedFile
  let new: DissectedFile
  /// Whether the orientation is part of the codestream, as in JPEG XL.
  let isStatedByCodestream: Bool
  var observations: [Observation] = []
  var statements: [Statement] = []
  /// The regions in each packet.
  var regions: [RegionComparison] = []

  /// A place that states an orientation, in both files.
  struct Statement {
    enum Kind {
      case packet, exif
      /// A page of a TIFF file.
      case page(Int)
    }

    var kind: Kind
    /// The values; nil if there is none, or none that can be read.
    var values: (old: Int?, new: Int?)
    var places: (old: Range<Int>, new: Range<Int>)
    /// Whether the image is displayed as it says, if the format itself does not state the orientation.
    var isMain = false

    var isPacket: Bool { if case .packet = kind { true } else { false } }
  }

  /// Reads both files.
  init(
    _ files: ComparedFiles,
    _ format: ImageFormat,
    then: OrientationTransform
  ) throws(UprightError) {
    (self.files, self.then, isStatedByCodestream) = (files, then, format == .jxl)
    old = try Self.read(files.original, format, .original)
    new = try Self.read(files.result, format, .result)
  }

  private static func read(
    _ bytes: [UInt8],
    _ format: ImageFormat,
    _ file: UprightError.File
  ) throws(UprightError) -> DissectedFile {
    do throws(FormatError) { return try DissectedFile(bytes.span, format) } catch {
      throw UprightError(error).of(file)
    }
  }

  /// Returns the verdict.
  mutating func verdict() -> Verdict {
    comparePages()
    compareParts()
    compareChecksums()
    chooseMain()
    let made = change
    let expected = compare(made)
    if let items = old.items, let others = new.items {
      observations += items.compare(with: others, made)
    }
    checkStatements(made)
    compareRegions(made)
    #if canImport(CExif)
    compareTags()
    #endif
    let isSame = !observations.hasFinding
    let image = Verdict.Image(
      original: files.original.indices,
      result: files.result.indices,
      transform: made,
      relation: isSame ? .identical : .different
    )
    var verdict = Verdict(expected, [image], observations)
    verdict.content = new.summary
    return verdict
  }

  // MARK: Parts

  /// Compares the parts; those that only one file has are findings, except for an Exif block with nothing but
  /// Orientation.
  private mutating func compareParts() {
    var (mine, theirs) = (old.parts, new.parts)
    if Self.blocks(mine).count != Self.blocks(theirs).count {
      compareAddedBlocks(mine, theirs)
      mine.removeAll { Self.isBlock($0) }
      theirs.removeAll { Self.isBlock($0) }
    }
    for (a, b) in zip(mine, theirs) {
      guard a.name == b.name, a.isMetadata == b.isMetadata else {
        return add(
          .structureChanged,
          "\(b.name) is in the place of \(a.name)",
          a.range,
          b.range
        )
      }
      compare(a, b)
    }
    if let lost = mine.dropFirst(theirs.count).first {
      add(.structureChanged, "\(lost.name) is missing", lost.range, nil)
    } else if let added = theirs.dropFirst(mine.count).first {
      add(.structureChanged, "\(added.name) is new", nil, added.range)
    }
  }

  mutating func add(
    _ code: Verdict.Finding.Code.Known,
    _ text: String,
    _ original: Range<Int>?,
    _ result: Range<Int>?
  ) {
    observations.append(
      .finding(
        code,
        text,
        original: original?.lowerBound,
        result: result?.lowerBound
      )
    )
  }

  private mutating func compare(_ a: FilePart, _ b: FilePart) {
    switch (a.content, b.content) {
    case (.bytes, .bytes): compareBytes(a, b)
    case (.form(let mine), .form(let theirs)):
      guard mine == theirs else {
        return add(.partChanged, "\(a.name) differs in more than orientations", a.range, b.range)
      }
      if !a.field.isEmpty, !files.isEqual(a.range, b.range) {
        observations.append(.difference(a.field, a.range, b.range))
      }
    case (.exif, .exif): compareExif(a, b)
    case (.packet, .packet): comparePackets(a, b)
    default: add(.structureChanged, "\(a.name) is of another kind", a.range, b.range)
    }
  }

  mutating func compareBytes(_ a: FilePart, _ b: FilePart) {
    guard !files.isEqual(a.range, b.range) else { return }
    let same = files.equalCount(a.range, b.range)
    let text =
      a.range.count == b.range.count
      ? "\(a.name) differs"
      : "\(a.name) has \(b.range.count) bytes instead of \(a.range.count)"
    add(.partChanged, text, a.range.dropFirst(same), b.range.dropFirst(same))
  }
}
