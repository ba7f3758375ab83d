internal import ImageOrientation
internal import JPEGCore
internal import Upright
internal import XMPPacket

/// The comparison of the data after the primary image: secondary images and other bytes.
extension ImageComparison {
  func compareTrailer() throws(UprightError) -> ([Verdict.Image], [Observation]) {
    let (end, newEnd) = (old.container.end, new.container.end)
    let counts = (files.original.count - end, files.result.count - newEnd)
    guard counts.0 > 0 || counts.1 > 0 else { return ([], []) }
    let before = SearchedImage.inventory(old, files.original.span)
    let complete = before.images.filter { $0.isComplete }
    guard counts.1 > 0 else {
      let text = "the \(counts.0) bytes after the image are missing\(Self.content(complete))"
      return ([], [.finding(.trailerLost, text, original: end)])
    }
    let after = SearchedImage.search(after: newEnd, files.result.span).images
      .filter { $0.isComplete }
    var observations = checkIncomplete(before)
    guard complete.count == after.count else { return ([], observations + [changed(end, newEnd)]) }
    var images: [Verdict.Image] = []
    var (position, newPosition) = (end, newEnd)
    // Other images are compared with the bytes around them.
    for (a, b) in zip(complete, after) where a.isListed || a.role != .unknown {
      observations += compareRest(
        position..<a.range.lowerBound,
        newPosition..<b.range.lowerBound
      )
      let (image, found) = try compare(a, b)
      if let image { images.append(image) }
      observations += found
      (position, newPosition) = (a.range.upperBound, b.range.upperBound)
    }
    observations += compareRest(
      position..<files.original.count,
      newPosition..<files.result.count
    )
    return (images, observations)
  }

  /// Returns the Exif segments that continue no block, if the result has them.
  func separateExif() -> [RegisteredData] {
    new.separateExif.isEmpty
      ? []
      : old.separateExif.prefix(1).map {
        RegisteredData(
          kind: "separate-exif",
          name: "Exif segment that continues no block",
          effect: .stale,
          offset: $0.range.lowerBound
        )
      }
  }

  /// Returns the images of the original that no index lists and whose purpose and orientation nothing states, if they are
  /// in the result although the image was transformed.
  func unlistedImages() -> [RegisteredData] {
    let before = SearchedImage.inventory(old, files.original.span).images
    let after = SearchedImage.search(after: new.container.end, files.result.span).images
    let kept = Set(after.filter { $0.isComplete }.map { files.result[$0.range] })
    let found = before.first {
      $0.isComplete && !$0.isListed && $0.role == .unknown
        && $0.header?.orientation.stated == nil && kept.contains(files.original[$0.range])
    }
    return [found].compactMap { $0 }.map {
      RegisteredData(
        kind: "unlisted-image",
        name: "JPEG image after the image, of unknown purpose",
        effect: .stale,
        offset: $0.range.lowerBound
      )
    }
  }

  /// Finds images that may have to be transformed although they cannot be compared.
  @ListBuilder<Observation>
  private func checkIncomplete(_ inventory: SearchedImage.Inventory) -> [Observation] {
    if transform != .none {
      for image in inventory.images where !image.isComplete {
        if image.isAligned || image.role == .preview || image.isShownTogether
          || image.isListed && image.header == nil
        {
          notTransformed(
            "the \(image.role.rawValue) image is damaged and cannot be transformed",
            image.range.lowerBound
          )
        }
      }
      if let cut = inventory.cut {
        notTransformed(
          "there are too many images, or images within each other, to know whether all of them were transformed",
          cut
        )
      }
      let other = inventory.images.first {
        !$0.isListed && $0.role == .unknown && $0.header != nil
      }
      if let missing = inventory.missing, let other {
        notTransformed(
          "an index lists an image at byte \(missing), where there is none; whether it is the image at byte "
            + "\(other.range.lowerBound), which was not transformed, is unknown",
          other.range.lowerBound
        )
      }
    }
  }

  private func notTransformed(
    _ text: String,
    _ start: Int,
    result: Int? = nil
  ) -> Observation {
    .finding(.embeddedNotTransformed, text, original: start, result: result)
  }

  private static func content(_ images: [SearchedImage]) -> String {
    let names = images.filter { $0.isListed || $0.role != .unknown }.map { $0.role.rawValue }
    return names.isEmpty ? "" : ", among them: " + names.joined(separator: ", ")
  }

  private func compareRest(_ a: Range<Int>, _ b: Range<Int>) -> [Observation] {
    guard !files.isEqual(a, b) else { return [] }
    let same = files.equalCount(a, b)
    return [changed(a.lowerBound + same, b.lowerBound + same)]
  }

  private func changed(_ a: Int, _ b: Int) -> Observation {
    .finding(.trailerChanged, "the bytes after the image differ", original: a, result: b)
  }

  private func compare(
    _ a: SearchedImage,
    _ b: SearchedImage
  ) throws(UprightError) -> (image: Verdict.Image?, [Observation]) {
    guard let one = a.header, let other = b.header else { return (nil, []) }
    var comparison = embedded(a.role, one, other, self.transform(of: a, one))
    guard files.isEqual(a.range, b.range) else {
      // Such a view has a thumbnail of its own, as the primary image has.
      let thumbnails = a.isShownTogether ? comparison.compareThumbnails().1 : []
      let (image, observations) = try comparison.compareWithSegments()
      return (image, thumbnails + observations)
    }
    return (comparison.identical, checkKept(a, b, one, comparison))
  }

  /// Checks a secondary image that was copied although the primary one was transformed.
  private func checkKept(
    _ a: SearchedImage,
    _ b: SearchedImage,
    _ header: Header,
    _ comparison: ImageComparison
  ) -> [Observation] {
    // Viewers show a preview by its own tag.
    let isTagged = header.orientation.stated != nil && old.displayed(transform) == .none
    guard a.isAligned || a.role == .preview && !isTagged || a.isShownTogether,
      comparison.transform != .none,
      !comparison.looksSameTransformed
    else { return [] }
    let text = "the \(a.role.rawValue) was not transformed and no longer matches the image"
    return [notTransformed(text, a.range.lowerBound, result: b.range.lowerBound)]
  }

  private func transform(of image: SearchedImage, _ header: Header) -> OrientationTransform {
    switch image.role {
    case .gainMap, .depthMap, .matte: return transform
    case .preview:
      if let own = header.orientation.stated { return own.transform.then(old.displayed(transform)) }
      return transform(ofRendition: header.frame.size)
    // Each is shown by its own tag, and then transformed as the image is.
    case .view where image.isShownTogether:
      guard let own = header.orientation.stated else { return transform }
      return own.transform.then(old.displayed(transform))
    case .thumbnail, .view, .video, .unknown:
      return header.orientation.stated?.transform ?? transform
    }
  }
}
