internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import SystemPackage
internal import Upright

/// The audit of one file: what would be done, and what the file contains.
struct FileAudit: FileWork {
  let rewriter: Rewriter
  var visited: VisitedFiles?
  /// How much of the file is examined.
  var detail = Audit.Detail.everything
  /// The formats that are read.
  var formats = FileFormats.all
  /// Which files are read completely.
  var depth = Depth.headers
  /// The memory that the threads share for files that are read completely, or nil if it is not limited.
  var budget: Budget?
  /// Which files would not be replaced.
  var protection = WriteProtection.Rule.none

  /// Which files are read completely, and rewritten in memory as far as they would be rewritten.
  enum Depth {
    /// None.
    case headers
    /// Those that would be rewritten.
    case planned
    /// All.
    case everything
  }

  var isMostlyReading: Bool { depth == .headers }

  func report(_ file: Walk.Found) throws -> FileReport? {
    let reader = try FileReader(file.path, isKnown: file.isRegular)
    if let visited, !visited.isNew(file, reader.identity) { return nil }
    var audit: Audit
    do {
      let taken = Request.normalize().taken(of: formats.formats, isNamed: file.isNamed)
      audit = try rewriter.audit(reader, detail, of: taken)
    } catch let error as UprightError where error.code == .notJPEG {
      let beginning = try reader.read(at: 0, count: FileFormat.length)
      throw UprightError(beginning.span, notAsPromisedBy: file.path) ?? error
    }
    if isDeep(audit) {
      try budget.with(max(audit.plan.estimatedMemory, reader.identity.size)) {
        try deepen(&audit, reader.readAll())
      }
    }
    audit.plan = audit.plan.respecting(protection, of: file.path, reader.identity)
    let format = ImageFormat(rawValue: audit.facts.format)
    let kinds = format?.sidecars ?? []
    let places = try file.places().map { $0.withSurroundings() }
    let files = try SidecarFile.find(beside: places, kinds)
    let sidecars = files.compactMap(\.file)
    let neighbours = try Neighbour.find(beside: places, audit.plan, sidecars)
    if let reason = Reason(pending: sidecars) ?? neighbours.lazy.compactMap(\.reason).first {
      audit.plan.skip(for: reason)
    }
    if audit.plan.action.rewrites, reader.identity.linkCount > 1 {
      audit.plan.skip(for: .hardLinked)
    }
    var report = FileReport(file.path, audit)
    if audit.plan.action.rewrites {
      report.add(neighbours)
      report.hasSidecars = !sidecars.isEmpty
    }
    if let format, !file.hasJPEGName || format != .jpeg { report.checkName(of: format) }
    if !kinds.isEmpty { try look(at: files, beside: places, audit.plan, kinds, &report) }
    if format?.isRaw == true || format == .dng { try compareSidecar(beside: places, &report) }
    report.pairedWith = PhotoPair.names(besides: places[0])
    if !report.pairedWith.isEmpty {
      let names = report.pairedWith.map { TextFormat.escaped($0) }.joined(separator: ", ")
      report.add(
        Note(.paired, "a pair with \(names): a rotation of one leaves the other as it is")
      )
    }
    return report
  }

  func mayTake(_ path: FilePath) -> Bool { formats.mayContain(path) }

  func standardInputReport() throws -> FileReport {
    let file = try StandardStreams.readImage(
      rewriter.options.maxBytes ?? .max,
      orOf: formats.formats
    )
    var audit = try rewriter.audit(file, detail: detail)
    if isDeep(audit) { try deepen(&audit, file) }
    return FileReport(StandardStreams.path, audit)
  }

  /// Whether a file with this audit is read completely.
  private func isDeep(_ audit: Audit) -> Bool {
    guard let format = ImageFormat(rawValue: audit.facts.format), format == .jpeg || format.isHEIF
    else { return false }
    return switch depth {
    case .headers: false
    case .planned: audit.plan.action.rewrites
    case .everything: true
    }
  }

  /// Adds what only the whole file shows.
  private func deepen(_ audit: inout Audit, _ file: [UInt8]) throws {
    audit.plan = try rewriter.rewrite(file).plan
    audit.facts.trailingBytes = rewriter.trailingBytes(file) ?? audit.facts.trailingBytes
    if case .everything = depth, case .unchanged = audit.plan.action {
      audit.facts.thumbnailTransform = rewriter.thumbnailTransform(file)
    }
  }

  /// Names the sidecars of a photo, and reports those that contradict it if it is already upright.
  ///
  /// - Throws: ``FileError`` or ``SidecarError`` if it is not known whether there is a sidecar, or what it contains.
  private func look(
    at found: [SidecarFile.Found],
    beside places: [Walk.Found],
    _ plan: Plan,
    _ kinds: Set<SidecarFile.Kind>,
    _ report: inout FileReport
  ) throws {
    if case .everything = detail {
      for sidecar in try SidecarFile.existing(beside: places, kinds) {
        report.addSidecar("sidecar found: \(TextFormat.path(sidecar))")
      }
    }
    guard case .unchanged = plan.action else { return }
    // A sidecar that is not XMP does not contradict the photo.
    for case .unreadable(let error as SidecarError) in found { throw error }
    if let reason = Reason(conflictOf: found.compactMap(\.file), plan) { report.skip(for: reason) }
  }
}

extension FileAudit {
  /// Compares the Orientation of a camera raw file with that of its sidecar, which rules for programs that read it.
  ///
  /// This is how such files are rotated, so it is no reason to skip one.
  ///
  /// - Throws: ``FileError`` if it cannot be found out whose the sidecar is.
  private func compareSidecar(
    beside places: [Walk.Found],
    _ report: inout FileReport
  ) throws {
    guard
      let file = try SidecarFile.find(beside: places, [.xmp]).lazy.compactMap(\.file).first,
      let other = file.orientation, let plan = report.plan
    else { return }
    let own = plan.image.orientation?.rawValue ?? 1
    guard other != own else {
      report.sidecar = "the sidecar \(file.name) has the same Orientation, \(own)"
      return
    }
    report.facts?.orientationsAgree = false
    report.sidecar =
      "the sidecar \(file.name) has Orientation \(other), the file \(own):"
      + " programs that read the sidecar obey it"
  }
}

extension UprightError {
  /// Creates the error of a file that is not a JPEG file, from its first bytes, if its name promises another format.
  fileprivate init?(_ beginning: Span<UInt8>, notAsPromisedBy path: FilePath) {
    let actual = ImageFormat(beginning: beginning)
    guard let format = path.extension.flatMap({ ImageFormat.promised(byEnding: $0) }),
      format != .jpeg, actual != .jpeg, actual != format
    else { return nil }
    let content = FileFormat.name(of: beginning)
    self.init(
      .notImage,
      "the file is not \(format.name)"
        + (content.map { ": this is \($0)" } ?? ", nor of another format that is known")
    )
  }
}

extension FileReport {
  /// Creates the report of an audited file.
  fileprivate init(_ path: FilePath, _ audit: Audit) {
    self.init(path: path, result: .planned(audit.plan))
    facts = audit.facts
  }
}

extension Rewriter {
  /// Returns the audit of a file, made with a few small reads.
  func audit(
    _ file: borrowing FileReader,
    _ detail: Audit.Detail = .everything,
    of formats: Set<ImageFormat>
  ) throws -> Audit {
    do throws(ReadingError<any Error>) {
      return try audit(
        size: file.identity.size,
        detail: detail,
        of: formats,
        ending: file.path.extension,
        reading: { offset, count throws in try file.read(at: offset, count: count) }
      )
    } catch { throw error.underlying }
  }
}
