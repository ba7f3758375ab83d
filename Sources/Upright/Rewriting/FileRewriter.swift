internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform
internal import XMPPacket

/// Turns the primary picture of a file and everything in the file that belongs to it.
///
/// The order matters: pictures behind the primary one come first, because XMP may say how long they are; then
/// metadata and thumbnails, because they share the primary's length; then the primary's scans, which make up
/// for what the others took; and last the index, which says where everything is.
struct FileRewriter {
  let header: Header
  let turn: Turn
  let options: Options

  /// All edits of the file, with what there is to report.
  struct Result {
    var edits: [Edit] = []
    /// The pictures whose scans were coded anew, those in the segments of others first.
    var turned: [TurnedPicture] = []
    /// How close the redraw of the primary picture came.
    var redraw: RedrawReport?
    var pictures: [EmbeddedPicture] = []
    var notes: [String] = []
  }

  /// Rewrites the file.
  ///
  /// - Throws: ``PictureRewriter/Failure``, when the primary picture or one that is tied to its pixels cannot
  ///   be turned.
  func rewrite(_ bytes: [UInt8]) throws(PictureRewriter.Failure) -> Result {
    var result = Result()
    let secondary = try rewriteSecondary(bytes, &result)
    let picture = Planner(options: options).picture(header, turn)
    var metadata = MetadataRewriter(
      header: header,
      turn: turn,
      turned: picture.turned.size,
      options: options
    )
    metadata.itemLengths = secondary
    var (edits, notes) = metadata.edits(bytes.span)
    result.notes += notes
    if options.contentCredentials == .keep, !header.credentialSegments(bytes.span).isEmpty {
      result.notes.append("the content credentials are kept, and do not match the file any more")
    }
    let others = credentialEdits(bytes.span) + rewriteThumbnails(bytes, &result)

    let isLast = header.container.end == bytes.count
    let drawn = try PictureRewriter(picture: picture, options: options)
      .rewrite(bytes, room: isLast ? nil : -(edits + others).totalShift)
    if listsOwnLength {
      // A longer number may itself make the packet longer, once.
      for _ in 0..<2 {
        let moved = (edits + others + drawn.edits).totalShift
        metadata.itemLengths[0] = header.container.end + moved
        edits = metadata.edits(bytes.span).edits
      }
    }
    let primary = edits + others + drawn.edits
    result.edits += primary
    result.turned.append(TurnedPicture(picture: picture, exceptions: drawn.exceptions))
    result.redraw = RedrawReport(drawn)
    if case .trim = picture.edging, result.pictures.contains(where: { $0.role == .gainMap }) {
      result.notes.append(
        "the gain map is not trimmed with the picture, and no longer fits it exactly"
      )
    }

    if let video = Inventory.video(behind: header.container.end, bytes.span) {
      result.pictures.append(video)
    }
    try reportMoves(bytes, primary.totalShift, &result)
    if let index = MultiPictureIndex(header.container, bytes.span) {
      result.edits += index.edits(following: result.edits, bytes.span)
    }
    return result
  }

  /// Tells when bytes behind the picture move, and refuses where that is known to break something.
  private func reportMoves(
    _ bytes: [UInt8],
    _ shift: Int,
    _ result: inout Result
  ) throws(PictureRewriter.Failure) {
    let last = result.pictures.filter { $0.role != .thumbnail }.map(\.range.upperBound).max()
    let end = max(header.container.end, last ?? 0)
    let followers = end < bytes.count ? result.edits.totalShift : 0
    guard header.container.end < bytes.count, shift != 0 || followers != 0 else { return }
    if SamsungTrailer.hasAbsoluteOffsets(bytes, behind: header.container.end) {
      throw .refused(.absoluteOffsets)
    }
    result.notes.append(
      "what follows the picture moves by \(followers == 0 ? shift : followers) bytes;"
        + " offsets in MakerNotes may point there"
    )
  }

  /// Whether the container directory gives the length of the primary picture; most give 0 or nothing.
  private var listsOwnLength: Bool {
    header.xmp.contains { block in
      let length = ContainerDirectory(block)?.items.first?.length
      return length.flatMap { Int($0.value) } == header.container.end
    }
  }

  /// Turns the pictures behind the primary one.
  ///
  /// - Returns: The new lengths of the container directory's items, by index.
  private func rewriteSecondary(
    _ bytes: [UInt8],
    _ result: inout Result
  ) throws(PictureRewriter.Failure) -> [Int: Int] {
    var lengths: [Int: Int] = [:]
    for picture in SecondaryPicture.find(header, bytes.span) {
      var fate = EmbeddedPicture.Fate.kept
      if let own = picture.header, let turn = picture.turn(with: turn, of: header) {
        let (edits, turned) = try rewrite(own, by: turn, picture.role, bytes)
        if let item = picture.item { lengths[item] = picture.range.count + edits.totalShift }
        result.edits += edits.map { edit in
          var edit = edit
          edit.field.identifier = "\(picture.role.rawValue)." + edit.field.identifier
          return edit
        }
        result.turned.append(turned)
        fate = turned.picture.isExact ? .turned : .redrawn
        if fate == .redrawn {
          result.notes.append(
            "the \(picture.role.rawValue) is redrawn: its own edge is not a whole number of blocks"
          )
        }
      } else if picture.role == .unknown {
        fate = .stale
        result.notes.append(
          "a picture at byte \(picture.range.lowerBound) of which nothing says what it is for is kept as it is"
        )
      }
      result.pictures.append(
        EmbeddedPicture(
          role: picture.role,
          range: picture.range,
          width: picture.header?.frame.width,
          height: picture.header?.frame.height,
          fate: fate
        )
      )
    }
    return lengths
  }

  /// The edits of a secondary picture: its own metadata and its scans.
  private func rewrite(
    _ own: Header,
    by turn: Turn,
    _ role: EmbeddedPicture.Role,
    _ bytes: [UInt8]
  ) throws(PictureRewriter.Failure) -> ([Edit], TurnedPicture) {
    guard CoefficientReader.canTurn(own.frame, by: turn, isInterleaved: own.isInterleaved) else {
      throw .refused(.embeddedPicture(role, "its coding or sampling cannot be read"))
    }
    let picture = PictureTurn(own, turn, edging: .redraw(.own))
    let metadata = MetadataRewriter(
      header: own,
      turn: turn,
      turned: picture.turned.size,
      options: options
    )
    let edits = metadata.edits(bytes.span).edits
    do throws(PictureRewriter.Failure) {
      try DecodingLimits(options).check(picture)
    } catch { throw .refused(.embeddedPicture(role, error.text)) }
    let drawn = try PictureRewriter(picture: picture, options: options)
      .rewrite(bytes, room: -edits.totalShift)
    return (edits + drawn.edits, TurnedPicture(picture: picture, exceptions: drawn.exceptions))
  }

  private func rewriteThumbnails(_ bytes: [UInt8], _ result: inout Result) -> [Edit] {
    var edits: [Edit] = []
    for block in header.exif {
      guard let thumbnail = Thumbnail(block, bytes.span),
        let segment = header.container.segments.first(where: {
          $0.range.contains(block.range.lowerBound)
        })
      else { continue }
      let rewrite = ThumbnailRewriter(
        thumbnail: thumbnail,
        turn: thumbnail.size.map { header.turn(ofThumbnail: $0, with: turn) } ?? turn,
        segment: segment,
        options: options
      ).rewrite(bytes)
      edits += rewrite.edits
      if let turned = rewrite.turned { result.turned.append(turned) }
      if let note = rewrite.note { result.notes.append(note) }
      result.pictures.append(
        EmbeddedPicture(
          role: .thumbnail,
          range: thumbnail.range,
          width: thumbnail.size?.width,
          height: thumbnail.size?.height,
          fate: rewrite.fate
        )
      )
    }
    return edits
  }

  /// The edits of a tag, with what they entail where the picture stays as it is.
  static func changingTag(
    _ tagEdits: [Edit],
    _ header: Header,
    _ options: Options,
    _ bytes: [UInt8]
  ) -> [Edit] {
    let rewriter = FileRewriter(header: header, turn: .none, options: options)
    var edits = tagEdits + rewriter.credentialEdits(bytes.span)
    // What follows the picture stays where it is.
    if header.container.end < bytes.count, edits.totalShift < 0,
      let end = header.container.endOfImageOffset
    {
      let fill = [UInt8](repeating: 0xFF, count: -edits.totalShift)
      edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
    }
    return edits
  }

  /// The removal of content credentials, where that was asked for.
  private func credentialEdits(_ bytes: Span<UInt8>) -> [Edit] {
    guard options.contentCredentials == .strip else { return [] }
    return header.credentialSegments(bytes).map {
      Edit($0.range, with: [], field: Edit.Field("content-credentials", new: "removed"))
    }
  }
}

extension RedrawReport {
  /// What a redraw reports; nil when the picture was not redrawn.
  fileprivate init?(_ drawn: PictureRewriter.Result) {
    guard let closeness = drawn.closeness?.overall, let exceptions = drawn.exceptions else {
      return nil
    }
    let scans = drawn.edits.filter { $0.content == .entropyCodedData }
    self.init(
      psnr: closeness.psnr,
      largestError: closeness.largest,
      exceptions: exceptions.count,
      exceptionBytes: exceptions.serialized.count,
      sizeBefore: scans.reduce(0) { $0 + $1.range.count },
      sizeAfter: scans.reduce(0) { $0 + $1.replacement.count }
    )
  }
}
