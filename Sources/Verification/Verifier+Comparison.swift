internal import FileBytes
internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
public import Upright

extension Verifier {
  /// Compares two files.
  ///
  /// - Parameters:
  ///   - original: The original.
  ///   - result: The file to check.
  /// - Returns: The verdict.
  /// - Throws: `UprightError` if the files differ and one of them, which its `file` names, is damaged, of another format,
  ///   or exceeds a limit.
  public func verify(original: [UInt8], result: [UInt8]) throws(UprightError) -> Verdict {
    guard original == result else { return try compare(original, result) }
    let verdict = identical(original)
    // An image can be its own mirror image.
    if !verdict.findings.isEmpty, let compared = try? compare(original, result),
      compared.findings.isEmpty
    {
      return compared
    }
    return verdict
  }

  private func compare(_ original: [UInt8], _ result: [UInt8]) throws(UprightError) -> Verdict {
    let files = ComparedFiles(original: original, result: result)
    if let format = Self.otherFormat(original) {
      guard Self.otherFormat(result) == format else {
        let other = ImageFormat(beginning: result.span)?.name
        let text = "the original is \(format.name), the result is \(other ?? "of another format")"
        throw UprightError(.unsupported, text).of(.result)
      }
      var comparison = try FormatComparison(files, format, then: then)
      var verdict = comparison.verdict()
      var survey = ContentSurvey(original, registered: [])
      survey.survey(format)
      verdict.add(survey)
      return verdict
    }
    let old = try header(original, .original)
    let new = try header(result, .result)
    guard new.container.isComplete || !old.container.isComplete else {
      throw UprightError.noEndOfImage(at: new.container.end).of(.result)
    }
    let transform = old.transform.then(then)
    var options = Options()
    options.maxPixels = maxPixels
    let limits = DecodingLimits(options)
    var comparison = ImageComparison(
      files: files,
      old: old,
      new: new,
      role: nil,
      transform: transform,
      limits: limits
    )
    var (image, observations) = try comparison.compare()
    let made = image.transform
    if made != transform {
      let further = old.displayed(made).rawValue
      observations.append(
        .note(
          .transformedFurther,
          "the displayed image was transformed further: \(further)",
          remedies: [Remedy(.policy("transform", further), "expect that")]
        )
      )
    }
    comparison.transform = made
    let (thumbnails, observed) = comparison.compareThumbnails()
    let (others, trailer) = try comparison.compareTrailer()
    observations += observed + comparison.compareSegments() + trailer
    observations += comparison.compareIndex(others)
    if !old.container.isComplete {
      observations.append(.note(.noEndOfImage, "the original has no EOI marker"))
    }
    if !old.credentialSegments(original.span).isEmpty,
      !new.credentialSegments(result.span).isEmpty
    {
      observations.append(
        .note(.credentialsInvalid, "the content credentials no longer match the file")
      )
    }
    let images = [image] + thumbnails + others
    if requiresLossless { observations += losses(images) }
    let isTransformed = made != .none || image.relation == .trimmed
    let found = isTransformed ? registered(original, made) : []
    let kept = isTransformed ? registered(result, made).map { $0.kind } : []
    var misregistered = found.filter { $0.effect != .independent && kept.contains($0.kind) }
    if isTransformed {
      misregistered +=
        comparison.unlistedImages() + comparison.separateExif() + comparison.leftovers
    }
    observations += misregistered.map { observation($0) }
    #if canImport(CExif)
    observations += TagComparison(files).differences(
      besides: observations.fields,
      unread: old.exif.first?.unread ?? []
    )
    #endif
    var verdict = Verdict(transform, images, observations)
    verdict.misregistered += misregistered
    var survey = ContentSurvey(original, registered: found)
    survey.surveyJPEG(old)
    verdict.add(survey)
    if isTransformed {
      let own = survey.thumbnails.filter { $0.offset < old.container.end }
      verdict.add(keptThumbnails: own)
    }
    return verdict
  }

  /// Returns the format of a file; nil if it is JPEG, or unknown.
  private static func otherFormat(_ bytes: [UInt8]) -> ImageFormat? {
    guard let format = ImageFormat(beginning: bytes.span), format != .jpeg else { return nil }
    return format
  }

  /// Returns the registered data of a file whose image is transformed, and of its views that are shown with it.
  private func registered(_ bytes: [UInt8], _ made: OrientationTransform) -> [RegisteredData] {
    guard var photo = try? JPEGPhoto(bytes) else { return [] }
    // All of the file is in memory, so nothing is missing.
    let own = try? RegisteredDataSearch.find(in: &photo, transform: made, isCropped: false)
    let views = SearchedImage.inventory(photo.header, bytes.span).images
      .filter { $0.isShownTogether }.compactMap { $0.header }
    return (own ?? [])
      + views.flatMap { RegisteredDataSearch.find(inView: $0, bytes, transform: made) }
  }

  private func observation(_ data: RegisteredData) -> Observation {
    let isStale = data.effect == .stale
    let problem =
      isStale
      ? "kept, and shows the image as it was stored"
      : "the image was transformed, but not the data that refers to its pixels"
    let text = "\(problem): \(data.name)"
    return isStale || acceptsRegisteredData
      ? .note(.registeredData, text, original: data.offset)
      : .finding(.registeredData, text, original: data.offset)
  }

  private func header(_ bytes: [UInt8], _ file: UprightError.File) throws(UprightError) -> Header {
    do throws(ContainerError) {
      let container = try Container(bytes.span)
      let header = try Header(container, bytes.span)
      guard header.frame.pixelCount <= maxPixels else {
        throw ContainerError(
          .limit,
          at: 0,
          "the image header gives more pixels than the limit of \(maxPixels)"
        )
      }
      return header
    } catch {
      throw UprightError(error, of: bytes.span).of(file)
    }
  }

  private func losses(_ images: [Verdict.Image]) -> [Observation] {
    images.filter { $0.relation == .reencoded || $0.relation == .trimmed }.map { image in
      .finding(
        .notLossless,
        (image.role.map { "the \($0.rawValue)" } ?? "the image")
          + (image.relation == .trimmed ? " lost partial MCUs" : " was partly re-encoded")
          + ", and the result must be lossless",
        original: image.original.lowerBound,
        result: image.result.lowerBound
      )
    }
  }

  /// Returns the verdict on identical files, which need not be readable.
  private func identical(_ bytes: [UInt8]) -> Verdict {
    var observations: [Observation] = []
    var (transform, range, isUpright) = (then, bytes.indices, false)
    do throws(UprightError) {
      if let format = Self.otherFormat(bytes) {
        let files = ComparedFiles(original: bytes, result: bytes)
        var comparison = try FormatComparison(files, format, then: then)
        return identical(comparison.verdict())
      }
      let header = try header(bytes, .original)
      guard header.container.isComplete else {
        throw UprightError.noEndOfImage(at: header.container.end).of(.original)
      }
      transform = header.transform.then(then)
      range = header.container.segments[0].range.lowerBound..<header.container.end
      switch header.orientation {
      case .absent: isUpright = header.exifProblem == nil
      case .value, .unknown: isUpright = transform == .none
      case .reserved, .unclear: break
      }
    } catch {
      observations.append(.note(.unreadable, "the contents were not compared: \(error.text)"))
    }
    if transform != .none {
      observations.append(
        .finding(.notTransformed, "both files are identical; expected: \(transform)")
      )
    }
    var verdict = Verdict(
      transform,
      [
        Verdict.Image(
          original: range,
          result: range,
          transform: .none,
          relation: .identical
        )
      ],
      observations
    )
    (verdict.areIdentical, verdict.isAlreadyUpright) = (true, isUpright)
    return verdict
  }

  /// Returns the verdict on identical files of a format other than JPEG.
  private func identical(_ compared: Verdict) -> Verdict {
    var verdict = compared
    verdict.areIdentical = true
    verdict.notes = []
    return verdict
  }
}

extension Verdict {
  /// Adds what was not interpreted, and the containers that cannot be read to their end.
  fileprivate mutating func add(_ survey: ContentSurvey) {
    unread = survey.unread
    for case .note(let note) in survey.problems where !notes.contains(note) { notes.append(note) }
  }

  /// Adds thumbnails that are the same in both files, of which the image was transformed.
  fileprivate mutating func add(keptThumbnails: [RegisteredData]) {
    misregistered += keptThumbnails
    for thumbnail in keptThumbnails {
      let text = "\(thumbnail.name) is kept and shows the image as it was stored"
      notes.append(
        Finding(.init(.thumbnailKept), text, originalOffset: thumbnail.offset)
      )
    }
  }
}
