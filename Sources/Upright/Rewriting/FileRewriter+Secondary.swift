internal import ImageOrientation
internal import JPEGCore

extension FileRewriter {
  /// What becomes of the pictures behind the primary one.
  struct Secondary {
    /// The new lengths of the container directory's items, by index.
    var lengths: [Int: Int] = [:]
    /// The pictures that are taken out.
    var removed: [SecondaryPicture] = []

    /// Whether nothing is left that the primary picture could say it has a gain map of.
    var losesGainMap: Bool { removed.contains { $0.role == .gainMap } }
  }

  /// Turns the pictures behind the primary one with it, or takes them out.
  func rewriteSecondary(
    _ bytes: [UInt8],
    _ result: inout Result
  ) throws(PictureRewriter.Failure) -> Secondary {
    var secondary = Secondary()
    for other in SecondaryPicture.find(header, bytes.span) {
      var fate = EmbeddedPicture.Fate.kept
      var problem: String?
      if let (own, turn, window) = treatment(of: other, &problem),
        let (edits, turned) = try rewrite(own, by: turn, window, other.role, bytes, &problem)
      {
        if let item = other.item { secondary.lengths[item] = other.range.count + edits.totalShift }
        result.edits += edits.map { edit in
          var edit = edit
          edit.field.identifier = "\(other.role.rawValue)." + edit.field.identifier
          return edit
        }
        result.turned.append(turned)
        fate = turned.picture.isExact ? .turned : .redrawn
        if fate == .redrawn {
          result.notes.append(
            "the \(other.role.rawValue) is redrawn: its own edge is not a whole number of blocks"
          )
        }
      } else if let problem {
        fate = .removed
        secondary.removed.append(other)
        result.edits.append(
          Edit(
            other.range.lowerBound..<min(other.range.upperBound + other.padding, bytes.count),
            with: [],
            field: Edit.Field(other.role.rawValue, new: "removed")
          )
        )
        result.notes.append("the \(other.role.rawValue) is removed: \(problem)")
      } else if picture.isCropped {
        result.notes.append(
          "the picture at byte \(other.range.lowerBound) is kept as it is; it may show what was cut away"
        )
      } else if other.role == .unknown {
        fate = .stale
        result.notes.append(
          "a picture at byte \(other.range.lowerBound) of which nothing says what it is for is kept as it is"
        )
      }
      result.pictures.append(
        EmbeddedPicture(
          role: other.role,
          range: other.range,
          width: other.header?.frame.width,
          height: other.header?.frame.height,
          fate: fate
        )
      )
    }
    return secondary
  }

  /// How a picture behind the primary one is turned, and which part of it is kept; nil when it stays as it is,
  /// or is taken out for a problem.
  private func treatment(
    of other: SecondaryPicture,
    _ problem: inout String?
  ) -> (Header, Turn, PixelRectangle)? {
    if picture.isCropped {
      switch other.fate(whenCropping: picture) {
      case .cropped(let window): return other.header.map { ($0, picture.turn, window) }
      case .removed(let why):
        problem = why
        return nil
      case .kept: return nil
      }
    }
    guard let own = other.header, let turn = other.turn(with: picture.turn, of: header) else {
      return nil
    }
    return (own, turn, own.frame.bounds)
  }

  /// The edits of a secondary picture: its own metadata and its scans; nil when it cannot be cropped with the
  /// primary picture.
  private func rewrite(
    _ own: Header,
    by turn: Turn,
    _ window: PixelRectangle,
    _ role: EmbeddedPicture.Role,
    _ bytes: [UInt8],
    _ problem: inout String?
  ) throws(PictureRewriter.Failure) -> ([Edit], TurnedPicture)? {
    do throws(PictureRewriter.Failure) {
      return try rewrite(own, by: turn, window, role, bytes)
    } catch  where picture.isCropped {
      problem = error.text
      return nil
    }
  }

  private func rewrite(
    _ own: Header,
    by turn: Turn,
    _ window: PixelRectangle,
    _ role: EmbeddedPicture.Role,
    _ bytes: [UInt8]
  ) throws(PictureRewriter.Failure) -> ([Edit], TurnedPicture) {
    guard own.isDecodable else {
      throw .refused(.embeddedPicture(role, "its coding or sampling cannot be decoded"))
    }
    let turned = PictureTurn(own, turn, window: window, edging: .redraw(.own))
    let metadata = MetadataRewriter(header: own, picture: turned, options: options)
    let edits = metadata.edits(bytes.span).edits
    do throws(PictureRewriter.Failure) {
      try DecodingLimits(options).check(turned)
    } catch { throw .refused(.embeddedPicture(role, error.text)) }
    let drawn = try PictureRewriter(picture: turned, options: options)
      .rewrite(bytes, room: room(bytes, edits.totalShift))
    return (edits + drawn.edits, drawn.turned)
  }
}
