package import ImageFormats

extension Normalizer {
  /// Audits a file in memory: JPEG, and other formats that can have an orientation.
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
    var photo = try Photo(leading: file, taking: Set(ImageFormat.allCases))
    let plan = try rewriter.plan(&photo).value
    return Audit(plan, FactsReader.facts(of: &photo, plan, detail).value)
  }
}

extension Normalizer {
  /// Audits a file of one of the formats with a few small reads.
  ///
  /// `ending` is that of the file's name, without a dot; some camera raw files are distinguished from TIFF by it alone.
  package func audit<Failure: Error>(
    size: Int,
    detail: Audit.Detail = .everything,
    of formats: Set<ImageFormat> = Set(ImageFormat.allCases),
    ending: String? = nil,
    reading read: PhotoReader<Failure>.Read
  ) throws(ReadingError<Failure>) -> Audit {
    var planned = try rewriter.planned(
      size: size,
      taking: formats,
      ending: ending,
      reading: read
    )
    let facts = try PhotoReader.complete(&planned.photo, read) { (photo) throws(UprightError) in
      FactsReader.facts(of: &photo, planned.plan, detail)
    }
    return Audit(planned.plan, facts)
  }

  #if !hasFeature(Embedded)
  /// Audits a file of any format with a few small reads: its header, the headers of the images listed in an index, and
  /// its last bytes.
  ///
  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - detail: How much to read.
  ///   - read: Returns up to `count` bytes of the file from an offset; fewer only at the end of the file.
  /// - Returns: The audit.
  /// - Throws: ``UprightError``, or the error of `read`.
  public func audit(
    size: Int,
    detail: Audit.Detail = .everything,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> Audit {
    do throws(ReadingError<any Error>) {
      return try audit(size: size, detail: detail, reading: read)
    } catch { throw error.underlying }
  }
  #endif
}

extension Audit {
  fileprivate init(_ plan: Plan, _ facts: Facts) {
    var plan = plan
    plan.work = nil
    self.init(plan: plan, facts: facts)
  }
}
