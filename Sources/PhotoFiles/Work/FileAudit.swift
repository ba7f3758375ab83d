package import FileSystem
package import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import Reports
package import SystemPackage
package import Upright

/// The audit of one file: what would be done, and what the file contains.
package struct FileAudit: FileWork {
  let rewriter: Rewriter
  /// What decides what would become of the files.
  let planner: FilePlanner
  package let visited: VisitedFiles?
  /// How much of the file is examined.
  package var detail = Audit.Detail.everything
  /// The formats that are read.
  package var formats = FileFormats.all
  /// Which files are read completely.
  package var depth = Depth.headers
  /// The memory that the threads share for files that are read completely, or nil if it is not limited.
  package var budget: Budget?

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - rewriter: What would be done with the image.
  ///   - policy: What would be requested of the files.
  ///   - visited: The files that the run has visited.
  package init(_ rewriter: Rewriter, _ policy: FilePolicy, visited: VisitedFiles? = nil) {
    (self.rewriter, self.visited) = (rewriter, visited)
    var policy = policy
    policy.isDry = true
    planner = FilePlanner(policy: policy, options: rewriter.options)
  }

  /// Which files are read completely, and rewritten in memory as far as they would be rewritten.
  package enum Depth: Sendable {
    /// None.
    case headers
    /// Those that would be rewritten.
    case planned
    /// All.
    case everything
  }

  package var isMostlyReading: Bool { depth == .headers }

  package func mayTake(_ path: FilePath) -> Bool { formats.mayContain(path) }

  package func report(_ file: Walk.Found) throws -> FileReport? {
    let reader = try FileReader(file.path, isKnown: file.isRegular)
    if let visited, !visited.isNew(file, reader.identity) { return nil }
    var audit = try audit(file, reader)
    if isDeep(audit) {
      try budget.with(max(audit.plan.estimatedMemory, reader.identity.size)) {
        try deepen(&audit, reader.readAll())
      }
    }
    let format = audit.plan.image.format
    let group = try PhotoGroup(file, reader.identity, format, planner.policy)
    var companions = try planner.steps(&audit.plan, group, to: .inPlace).map(\.companion)
    if format != .jpeg, let sidecar = try group.sidecarOfRaw() {
      companions += compare(sidecar, &audit)
    }
    var report = audit.report(file.path)
    report.companions = companions
    if format != .jpeg || !file.hasJPEGName { report.checkName(of: format) }
    report.pairedWith = group.pairedNames
    if !report.pairedWith.isEmpty {
      let names = report.pairedWith.map(\.escaped).joined(separator: ", ")
      report.add(
        Note(.paired, "a pair with \(names): a rotation of one leaves the other as it is")
      )
    }
    return report
  }

  package func standardInputReport() throws -> FileReport {
    let file = try StandardStreams.readImage(
      rewriter.options.maxBytes ?? .max,
      orOf: formats.formats
    )
    var audit = try rewriter.audit(file, detail: detail)
    if isDeep(audit) { try deepen(&audit, file) }
    return audit.report(StandardStreams.path)
  }

  /// Returns the audit of a file, made with a few small reads.
  private func audit(_ file: Walk.Found, _ reader: borrowing FileReader) throws -> Audit {
    do {
      let taken = Request.normalize().taken(of: formats.formats, isNamed: file.isNamed)
      return try rewriter.audit(reader, detail, of: taken, ending: file.ending)
    } catch let error as UprightError where error.code == .notJPEG {
      let beginning = try reader.read(at: 0, count: ImageFormat.recognizedLength)
      throw UprightError(beginning.span, notAsPromisedBy: file.path) ?? error
    }
  }

  /// Whether a file with this audit is read completely.
  private func isDeep(_ audit: Audit) -> Bool {
    let format = audit.plan.image.format
    guard format == .jpeg || format.isHEIF else { return false }
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

  /// Compares the Orientation of a camera raw file with that of its sidecar, which rules for programs that read it.
  ///
  /// This is how such files are rotated, so it is no reason to skip one.
  private func compare(_ sidecar: SidecarFile, _ audit: inout Audit) -> [CompanionResult] {
    guard sidecar.orientation != nil else { return [] }
    var companion = CompanionResult(sidecar, .leave, .fits)
    companion.orientation = sidecar.orientation(otherThanOf: audit.plan)
    if companion.orientation != nil {
      companion.cause = .obeyed
      audit.facts.orientationsAgree = false
    }
    return [companion]
  }
}

extension UprightError {
  /// Creates the error of a file that is not a JPEG file, from its first bytes, if its name promises another format.
  fileprivate init?(_ beginning: Span<UInt8>, notAsPromisedBy path: FilePath) {
    let actual = ImageFormat(beginning: beginning)
    guard let format = path.extension.flatMap({ ImageFormat.promised(byEnding: $0) }),
      format != .jpeg, actual != .jpeg, actual != format
    else { return nil }
    let content = FileContent.name(of: beginning)
    self.init(
      .notImage,
      "the file is not \(format.name)"
        + (content.map { ": this is \($0)" } ?? ", nor of another format that is known")
    )
  }
}

extension Audit {
  /// Returns the report of the file.
  fileprivate func report(_ path: FilePath) -> FileReport {
    FileReport(path: path, result: .planned(Shared(plan)), facts: Shared(facts))
  }
}

extension Rewriter {
  /// Returns the audit of a file with this extension, made with a few small reads.
  package func audit(
    _ file: borrowing FileReader,
    _ detail: Audit.Detail = .everything,
    of formats: Set<ImageFormat>,
    ending: String?
  ) throws -> Audit {
    try audit(
      size: file.identity.size,
      detail: detail,
      of: formats,
      ending: ending,
      from: { offset, count in try file.read(at: offset, count: count) }
    )
  }
}
