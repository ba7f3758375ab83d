internal import FileBytes
internal import ImageFormats
internal import ImageOrientation

extension Facts {
  /// Creates the facts of a file of a format other than JPEG.
  init(_ statements: OrientationStatements) {
    let image = statements.image
    self.init()
    exifOrientation = image.pages.isEmpty ? nil : image.pages[image.primaryPage].tag
    camera = TIFFBlock.camera(make: image.make, model: image.model)
    for (part, block) in statements.exif {
      guard let block else { continue }
      read(block, part.content.span, .everything)
      hasThumbnail = hasThumbnail || Thumbnail(block, part.content.span) != nil
    }
    if let capture = image.capture,
      let block = TIFFBlock(capture.span, in: capture.indices)
    {
      read(block, capture.span, .everything)
    }
    for packet in statements.packets { read(packet.block) }
    size = statements.size
    formatOrientation = image.stated.map { Orientation(uprightBy: $0) }
    orientationsAgree = statements.contradiction == nil
    isMotionPhoto = image.hasVideo
    hasContentCredentials = image.hasCredentials
    trailingBytes = image.trailer?.count ?? 0
    embeddedImages = image.images.map {
      let role = EmbeddedImage.Role(rawValue: $0.role.rawValue) ?? .unknown
      return EmbeddedImage(
        role: role,
        range: $0.range,
        width: $0.width,
        height: $0.height,
        disposition: .kept
      )
    }
    if embeddedImages.contains(where: { $0.role == .gainMap }) { hasGainMap = true }
  }
}
