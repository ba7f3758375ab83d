internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

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
    let (edits, notes) = metadata.edits(bytes.span)
    var primary = edits + credentialEdits(bytes.span)
    result.notes += notes
    primary += rewriteThumbnails(bytes, &result)

    let isLast = header.container.end == bytes.count
    let drawn = try PictureRewriter(picture: picture, limits: DecodingLimits(options))
      .rewrite(bytes, room: isLast ? nil : -primary.totalShift)
    primary += drawn.edits
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
    let moved = primary.totalShift
    if !isLast, moved != 0 {
      if SamsungTrailer.hasAbsoluteOffsets(bytes, behind: header.container.end) {
        throw .refused(.absoluteOffsets)
      }
      result.notes.append(
        "what follows the picture moves by \(moved) bytes; offsets in MakerNotes may point there"
      )
    }
    if let index = MultiPictureIndex(header.container, bytes.span) {
      result.edits += index.edits(following: result.edits, bytes.span)
    }
    return result
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
      if let own = picture.header, let turn = picture.turn(with: turn, of: header.frame) {
        let (edits, turned) = try rewrite(own, by: turn, picture.role, bytes)
        if let item = picture.item { lengths[item] = picture.range.count + edits.totalShift }
        result.edits += edits.map { edit in
          var edit = edit
          edit.field.identifier = "\(picture.role.rawValue)." + edit.field.identifier
          return edit
        }
        result.turned.append(turned)
        fate = turned.exceptions == nil ? .turned : .redrawn
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
    let limits = DecodingLimits(options)
    do throws(PictureRewriter.Failure) {
      try limits.check(picture)
    } catch { throw .refused(.embeddedPicture(role, error.text)) }
    let drawn = try PictureRewriter(picture: picture, limits: limits)
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
        turn: turn,
        primary: header.frame,
        segment: segment,
        limits: DecodingLimits(options)
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
