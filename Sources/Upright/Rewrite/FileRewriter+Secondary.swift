internal import ImageOrientation
internal import JPEGCore

extension FileRewriter {
  /// The changes of the secondary images.
  struct Secondary {
    /// The new lengths of the container directory's items, by index.
    var lengths: [Int: Int] = [:]
    /// The images that are removed.
    var removed: [SecondaryImage] = []

    /// Whether they change the metadata of the primary image.
    var changesMetadata: Bool { !lengths.isEmpty || !removed.isEmpty }

    /// Whether the gain map is removed.
    var losesGainMap: Bool { removed.contains { $0.role == .gainMap } }
  }

  /// Transforms the secondary images with the primary one, or removes them.
  func rewriteSecondary(
    _ bytes: [UInt8],
    _ result: inout Result
  ) throws(ImageRewriter.Failure) -> Secondary {
    var secondary = Secondary()
    for other in SecondaryImage.find(header, bytes.span) {
      if let obstacle = other.obstacle { throw .refused(.embeddedImage(other.role, obstacle)) }
      var disposition = EmbeddedImage.Disposition.kept
      var problem: String?
      let treatment = treatment(of: other, &problem)
      if let (own, transform, window) = treatment {
        try checkEdges(own, transform, window, other.role)
      }
      if let (own, transform, window) = treatment,
        let (edits, transformed) = try rewrite(
          own,
          by: transform,
          window,
          other.role,
          bytes,
          &problem
        )
      {
        if let item = other.item { secondary.lengths[item] = other.range.count + edits.totalShift }
        result.edits += edits.map { edit in
          var edit = edit
          edit.field.identifier = "\(other.role.rawValue)." + edit.field.identifier
          return edit
        }
        result.transformed.append(transformed)
        disposition = transformed.raster.isLossless ? .transformed : .reencoded
        if disposition == .reencoded {
          result.notes.append(
            "the \(other.role.rawValue) is re-encoded because its size is not a multiple of the MCU size"
          )
        }
      } else if let problem {
        disposition = .removed
        secondary.removed.append(other)
        result.edits.append(
          Edit(
            other.range.lowerBound..<min(other.range.upperBound + other.padding, bytes.count),
            with: [],
            field: Edit.Field(other.role.rawValue, new: "removed")
          )
        )
        result.notes.append("the \(other.role.rawValue) is removed: \(problem)")
      } else if raster.isCropped {
        result.notes.append(
          "the image at byte \(other.range.lowerBound) is kept and may show what was cut away"
        )
      } else if other.role == .unknown {
        disposition = .stale
        result.notes.append(
          "an image of unknown purpose at byte \(other.range.lowerBound) is kept unchanged"
        )
      }
      result.images.append(
        EmbeddedImage(
          role: other.role,
          range: other.range,
          width: other.header?.frame.width,
          height: other.header?.frame.height,
          disposition: disposition
        )
      )
    }
    return secondary
  }

  /// Throws if an image must be re-encoded and the policy forbids it.
  private func checkEdges(
    _ own: Header,
    _ transform: OrientationTransform,
    _ window: PixelRectangle,
    _ role: EmbeddedImage.Role
  ) throws(ImageRewriter.Failure) {
    // An image that is re-encoded itself is one for which that is permitted.
    guard raster.isLossless, !own.frame.isLossless(window, under: transform) else { return }
    let reason: Reason?
    do throws(UprightError) {
      reason = try options.refusalToReencode(role)
    } catch { throw .failed(error) }
    if let reason { throw .refused(reason) }
  }

  /// Returns the transform of a secondary image and the part that is kept; nil if it is unchanged, or removed because of
  /// a problem.
  private func treatment(
    of other: SecondaryImage,
    _ problem: inout String?
  ) -> (Header, OrientationTransform, PixelRectangle)? {
    if raster.isCropped {
      switch other.disposition(whenCropping: raster) {
      case .cropped(let window): return other.header.map { ($0, raster.transform, window) }
      case .removed(let why):
        problem = why
        return nil
      case .kept: return nil
      }
    }
    guard let own = other.header,
      let transform = other.transform(with: raster.transform, of: header)
    else {
      return nil
    }
    return (own, transform, own.frame.bounds)
  }

  /// Returns the edits of the metadata and the scans of a secondary image; nil if it cannot be cropped with the primary
  /// image.
  private func rewrite(
    _ own: Header,
    by transform: OrientationTransform,
    _ window: PixelRectangle,
    _ role: EmbeddedImage.Role,
    _ bytes: [UInt8],
    _ problem: inout String?
  ) throws(ImageRewriter.Failure) -> ([Edit], TransformedImage)? {
    do throws(ImageRewriter.Failure) {
      return try rewrite(own, by: transform, window, role, bytes)
    } catch  where raster.isCropped {
      problem = error.text
      return nil
    }
  }

  private func rewrite(
    _ own: Header,
    by transform: OrientationTransform,
    _ window: PixelRectangle,
    _ role: EmbeddedImage.Role,
    _ bytes: [UInt8]
  ) throws(ImageRewriter.Failure) -> ([Edit], TransformedImage) {
    guard own.isDecodable else {
      throw .refused(.embeddedImage(role, "its coding or sampling is not supported"))
    }
    let transformed = RasterTransform(own, transform, window: window, partialMCUs: .redraw(.own))
    let metadata = MetadataRewriter(header: own, raster: transformed, options: options)
    let edits = metadata.edits(bytes.span).edits
    do throws(ImageRewriter.Failure) {
      try DecodingLimits(options).check(transformed)
    } catch { throw .refused(.embeddedImage(role, error.text)) }
    let rewritten = try ImageRewriter(raster: transformed, options: options)
      .rewrite(bytes, room: room(bytes, edits.totalShift))
    return (edits + rewritten.edits, rewritten.transformed)
  }
}
