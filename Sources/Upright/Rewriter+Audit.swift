package import ImageFormats
package import ImageOrientation

extension Rewriter {
  /// Audits a file in memory: JPEG, and other formats that can have an orientation.
  ///
  /// The audit has the plan of what is requested, and what the file contains.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - detail: How much to read.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``.
  public func audit(
    _ file: [UInt8],
    detail: Audit.Detail = .everything
  ) throws(UprightError) -> Audit {
    try options.checkSize(file.count)
    let planner = planner(file.count)
    switch try Photo(leading: file, taking: Set(ImageFormat.allCases)) {
    case .other(let statements): return Audit(try planner.plan(statements), Facts(statements))
    case .jpeg(var photo):
      let plan = try planner.plan(&photo).value
      return Audit(plan, FactsReader.facts(of: &photo, FactsReader.Planned(plan), detail).value)
    }
  }

  /// Audits a file of one of the formats with a few small reads.
  ///
  /// `ending` is that of the file's name, without a dot; some camera raw files are distinguished from TIFF by it alone.
  package func audit<Failure: Error>(
    size: Int,
    detail: Audit.Detail,
    of formats: Set<ImageFormat>,
    ending: String? = nil,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> Audit {
    let planner = planner(size)
    switch try PhotoReader.open(size: size, taking: formats, ending: ending, read) {
    case .other(let statements):
      do throws(UprightError) {
        return Audit(try planner.plan(statements), Facts(statements))
      } catch { throw .content(error) }
    case .jpeg(var photo):
      let plan = try PhotoReader.complete(&photo, read, planner.plan)
      let planned = FactsReader.Planned(plan)
      let facts = try PhotoReader.complete(&photo, read) { (photo) throws(UprightError) in
        FactsReader.facts(of: &photo, planned, detail)
      }
      return Audit(plan, facts)
    }
  }

  /// Returns the transform after which the thumbnail of an upright image would show it upright, too.
  package func thumbnailTransform(_ file: [UInt8]) -> OrientationTransform? {
    guard let photo = try? JPEGPhoto(file) else { return nil }
    return try? options.limited(on: threads) { () throws(UprightError) in
      ThumbnailContent.misfit(photo.header, file, options)
    }
  }

  /// Returns how many bytes follow the primary image of a whole JPEG file; nil if it is damaged or has no EOI.
  package func trailingBytes(_ file: [UInt8]) -> Int? {
    (try? JPEGPhoto(leading: file))?.endOfImage.map { file.count - $0 }
  }
}

extension Audit {
  fileprivate init(_ plan: Plan, _ facts: Facts) {
    self.init(plan: plan, facts: facts)
    self.plan.metadata = nil
  }
}
