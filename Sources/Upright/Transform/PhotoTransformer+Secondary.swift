internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

extension PhotoTransformer {
  /// The secondary images, and what other parts must know of them.
  struct Secondary {
    var part = Part()
    /// The lengths of the container directory's items, by index.
    var lengths: [Int: (old: Int, new: Int)] = [:]
    var removed: [SecondaryImage] = []

    var losesGainMap: Bool { removed.contains { $0.role == .gainMap } }

    var starts: [Int] { removed.map { $0.range.lowerBound } }
  }

  private enum Treatment {
    case transformed(Part, isLossless: Bool)
    case removed(String)
    case kept
  }

  /// Transforms the secondary images with the primary one, or removes them.
  func secondaryImages(_ bytes: [UInt8]) throws(ImageTransformer.Failure) -> Secondary {
    var secondary = Secondary()
    for image in SecondaryImage.find(header, bytes.span) {
      let (role, start) = (image.role.rawValue, image.range.lowerBound)
      var disposition = EmbeddedImage.Disposition.kept
      var note: Note?
      switch try treatment(of: image, bytes) {
      case .transformed(var part, let isLossless):
        if let item = image.item {
          let length = image.range.count
          secondary.lengths[item] = (length, length + part.edits.totalShift)
        }
        part.edits = part.edits.prefixed(role)
        secondary.part = [secondary.part, part].merged
        disposition = isLossless ? .transformed : .reencoded
        if disposition == .reencoded {
          note = Note(
            .imageReencoded,
            "the \(role) is re-encoded because its size is not a multiple of the MCU size"
          )
        }
      case .removed(let problem):
        disposition = .removed
        let end = min(image.range.upperBound + image.padding, bytes.count)
        secondary.part.edits.append(.removal(start..<end, role))
        secondary.removed.append(image)
        note = Note(.imageRemoved, "the \(role) is removed: \(problem)")
      case .kept where raster.isCropped:
        let text = "the image at byte \(start) is kept and may show what was cut away"
        note = Note(.imageKept, text)
      case .kept where image.role == .unknown:
        disposition = .stale
        let text = "an image of unknown purpose at byte \(start) is kept unchanged"
        note = Note(.imageKept, text)
      case .kept: break
      }
      secondary.part.notes += [note].compactMap { $0 }
      secondary.part.images.append(EmbeddedImage(image, disposition))
    }
    return secondary
  }

  private func treatment(
    of image: SecondaryImage,
    _ bytes: [UInt8]
  ) throws(ImageTransformer.Failure) -> Treatment {
    if let obstacle = image.obstacle(beside: header) {
      throw .refused(.embeddedImage(image.role, obstacle))
    }
    guard let own = image.header else { return .kept }
    if image.isShownTogether { return try view(own, bytes) }
    guard raster.isCropped else {
      guard let transform = image.transform(with: raster.transform, of: header) else {
        return .kept
      }
      let target = RasterTransform(own, transform, partialMCUs: .redraw(.own))
      try checkEdges(target, image.role)
      return try transformed(own, target, image.role, bytes)
    }
    switch image.role {
    case .gainMap, .depthMap, .matte:
      guard let window = raster.window(in: own.frame) else {
        return .removed("the rectangle does not begin and end at its pixel boundaries")
      }
      let target = RasterTransform(
        own,
        raster.transform,
        window: window,
        partialMCUs: .redraw(.own)
      )
      try checkEdges(target, image.role)
      do throws(ImageTransformer.Failure) {
        return try transformed(own, target, image.role, bytes)
      } catch { return .removed(error.text) }
    case .preview: return .removed("it shows what was cut away")
    case .thumbnail, .view, .video, .unknown: return .kept
    }
  }

  private func transformed(
    _ own: Header,
    _ target: RasterTransform,
    _ role: EmbeddedImage.Role,
    _ bytes: [UInt8]
  ) throws(ImageTransformer.Failure) -> Treatment {
    guard own.isDecodable else {
      throw .refused(.embeddedImage(role, "its coding or sampling is not supported"))
    }
    let edits = MetadataUpdater(own, target, options, bytes.span).edits
    if own.sharesBytes(edits, own.thumbnails(bytes.span), bytes.span) {
      throw .refused(.embeddedImage(role, "two fields of its Exif are in the same bytes"))
    }
    if let reason = DecodingLimits(options).refusal(target) {
      throw .refused(.embeddedImage(role, reason.explanation))
    }
    let image = try coded(target, role, bytes, edits.totalShift)
    return .transformed([Part(edits: edits), image].merged, isLossless: target.isLossless)
  }

  /// Returns the image of a secondary image, which should make up for the change of its length by other edits.
  private func coded(
    _ target: RasterTransform,
    _ role: EmbeddedImage.Role,
    _ bytes: [UInt8],
    _ shift: Int
  ) throws(ImageTransformer.Failure) -> Part {
    let image = try ImageTransformer(raster: target, options: options)
      .rewrite(bytes, room: room(bytes, shift))
    return Part(
      edits: image.edits,
      notes: image.transformed.strayByteNotes(of: role),
      transformed: [image.transformed]
    )
  }

  /// Transforms a view that is shown together with the primary image, with all that describes it, as the primary image.
  private func view(
    _ own: Header,
    _ bytes: [UInt8]
  ) throws(ImageTransformer.Failure) -> Treatment {
    func refused(_ problem: String) -> ImageTransformer.Failure {
      .refused(.embeddedImage(.view, problem))
    }
    guard !raster.isCropped else { throw refused("only one of several views would be cropped") }
    guard own.isDecodable else { throw refused("its coding or sampling is not supported") }
    let trims = options.unaligned == .trim
    let target = RasterTransform(
      own,
      raster.transform,
      partialMCUs: trims ? .trim : .redraw(options.redrawQuality.quality)
    )
    try checkEdges(target, .view)
    guard target.transformed.size == raster.transformed.size else {
      throw refused("other edges of it would be cut off than of the image")
    }
    let thumbnails = own.thumbnails(bytes.span)
    for thumbnail in thumbnails where thumbnail.isReencoded(with: raster.transform, of: own) {
      try refuseReencoding(.thumbnail)
    }
    let metadata = MetadataUpdater(
      own,
      target,
      options,
      keepsTag: metadata.keepsTag,
      bytes.span
    )
    let extents = own.extents(of: thumbnails, with: raster.transform, bytes.span)
    if own.sharesBytes(metadata.edits + extents, thumbnails, bytes.span) {
      throw refused("two fields of its Exif are in the same bytes")
    }
    let unread = own.exifProblem.map { Reason.unreadableExif($0) } ?? .unread(own)
    if let reason = unread ?? DecodingLimits(options).refusal(target)
      ?? options.contentCredentials.refusal(own, bytes.span)
    {
      throw refused(reason.explanation)
    }
    var described = Part(edits: metadata.edits, notes: metadata.notes)
    described.notes += try registered(own, bytes)
    let credentials = Part(
      edits: options.contentCredentials.edits(own, bytes.span),
      notes: options.contentCredentials.notes(own, bytes.span)
    )
    let small = PhotoTransformer(metadata: metadata, thumbnails: thumbnails, options: options)
      .thumbnails(bytes)
    var all = [described, credentials, small].merged
    all.tones = []
    let image = try coded(target, .view, bytes, all.edits.totalShift)
    return .transformed([all, image].merged, isLossless: target.isLossless)
  }

  /// Returns the notes on data of a view that refers to its pixels; throws if the policy forbids to keep it.
  private func registered(
    _ own: Header,
    _ bytes: [UInt8]
  ) throws(ImageTransformer.Failure) -> [Note] {
    let found = RegisteredDataSearch.find(inView: own, bytes, transform: raster.transform)
    let misregistered = found.filter { $0.effect == .misregistered }
    if options.registeredData == .skip, !misregistered.isEmpty {
      throw .refused(.registeredData(misregistered))
    }
    return found.filter { $0.effect != .independent }.map {
      Note(.registeredData, "kept in a view, as for the stored image: \($0.name)")
    }
  }

  /// Throws if an image must be re-encoded and the policy forbids it.
  private func checkEdges(
    _ target: RasterTransform,
    _ role: EmbeddedImage.Role
  ) throws(ImageTransformer.Failure) {
    // An image that is re-encoded itself is one for which that is permitted.
    if raster.isLossless, !target.isLossless { try refuseReencoding(role) }
  }

  private func refuseReencoding(_ role: EmbeddedImage.Role) throws(ImageTransformer.Failure) {
    let reason: Reason?
    do throws(UprightError) {
      reason = try options.refusalToReencode(role)
    } catch { throw .failed(error) }
    if let reason { throw .refused(reason) }
  }
}

extension MetadataUpdater {
  /// Describes the secondary images as they become.
  mutating func update(_ secondary: PhotoTransformer.Secondary, _ bytes: Span<UInt8>) {
    guard !secondary.lengths.isEmpty || !secondary.removed.isEmpty else { return }
    itemLengths = secondary.lengths
    removedItems = Set(secondary.removed.compactMap { $0.item })
    losesGainMap = secondary.losesGainMap
    update(bytes)
  }
}

extension RasterTransform {
  /// Returns the part of a smaller rendition that corresponds to the window, or nil if its edges are not at pixel
  /// boundaries.
  fileprivate func window(in frame: Frame) -> PixelRectangle? {
    func scaled(_ place: Int, _ size: Int, _ full: Int) -> Int? {
      let product = Int64(place) * Int64(size)
      return product % Int64(full) == 0 ? Int(product / Int64(full)) : nil
    }
    let (kept, full) = (window, self.frame)
    guard let left = scaled(kept.x, frame.width, full.width),
      let right = scaled(kept.right, frame.width, full.width),
      let top = scaled(kept.y, frame.height, full.height),
      let bottom = scaled(kept.bottom, frame.height, full.height),
      left < right, top < bottom
    else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}
