internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Decides for each kind of regions which frame they refer to and what becomes of them.
struct RegionPlan {
  /// The transform from the stored to the displayed image: that of the Orientation.
  let orientation: OrientationTransform
  let geometry: RegionGeometry
  let policy: Options.RegionPolicy
  /// Whether SubjectArea and SubjectLocation in Exif can be transformed.
  enum Subject {
    case movable
    /// One has another form than that of the standard, or no room for its new numbers.
    case fixed
  }

  /// One decision for each kind that occurs.
  private(set) var decisions: [RegionDecision] = []

  init(
    _ packets: [XMPBlock],
    subject: Subject? = nil,
    orientation: OrientationTransform,
    geometry: RegionGeometry,
    policy: Options.RegionPolicy
  ) {
    self.orientation = orientation
    self.geometry = geometry
    // A crop removes what kept regions would refer to.
    self.policy = policy == .keep && geometry.clips ? .auto : policy
    var main: (frame: RegionDecision.Frame, regions: [RegionGeometry.Region])?
    for kind in [RegionDecision.Kind.mwg, .microsoft, .acdsee, .iptc] {
      let blocks = packets.filter { $0.hasRegions(kind) }
      guard !blocks.isEmpty else { continue }
      let found = frame(of: kind, blocks, main)
      if kind == .mwg, let frame = found.frame {
        main = (frame, blocks.flatMap { $0.regions(kind, geometry.old) })
      }
      decisions.append(decision(kind, found.frame, found.evidence))
    }
    if let subject {
      var decision = decision(.subject, .stored, .specification)
      // In Exif, only Orientation and the dimensions are rewritten unless more is requested.
      let isRequested = self.policy != .auto || geometry.clips
      if subject == .fixed || !isRequested { decision.disposition = .kept }
      decisions.append(decision)
    }
    if packets.contains(where: { $0.hasSubject }) {
      var subject = decision(.xmpSubject, .stored, .specification)
      subject.disposition = .kept
      decisions.append(subject)
    }
  }

  /// Returns the mapping of a kind of regions to the result, or nil if they are not transformed.
  func geometry(of kind: RegionDecision.Kind) -> RegionGeometry? {
    guard let decision = decisions.first(where: { $0.kind == kind }),
      decision.disposition == .transformed
    else { return nil }
    return decision.frame == .displayed ? geometry.fromDisplayed(orientation) : geometry
  }

  private func decision(
    _ kind: RegionDecision.Kind,
    _ frame: RegionDecision.Frame?,
    _ evidence: RegionDecision.Evidence
  ) -> RegionDecision {
    var decision = RegionDecision(
      kind: kind,
      disposition: .transformed,
      frame: frame,
      evidence: evidence
    )
    let fits = geometry.fromDisplayed(orientation).isIdentity
    switch policy {
    case .follow:
      (decision.frame, decision.evidence) = (.stored, .option)
    case .keep:
      decision.disposition = frame == .displayed && fits ? .fitting : .kept
      if decision.disposition == .kept { decision.evidence = .option }
    case .auto:
      if frame == .displayed, fits { decision.disposition = .fitting }
      if frame == nil {
        decision.disposition = .kept
        // After another transform they would be wrong in either frame.
        if !fits { (decision.disposition, decision.frame) = (.transformed, .displayed) }
      }
    }
    return decision
  }

  // MARK: Evidence

  private func frame(
    of kind: RegionDecision.Kind,
    _ blocks: [XMPBlock],
    _ main: (frame: RegionDecision.Frame, regions: [RegionGeometry.Region])?
  ) -> (frame: RegionDecision.Frame?, evidence: RegionDecision.Evidence) {
    if orientation == .none { return (.stored, .sameFrame) }
    if let frame = blocks.lazy.compactMap({ appliedFrame($0.appliedDimensions(kind)) }).first {
      return (frame, .appliedToDimensions)
    }
    if kind == .mwg { return (.stored, .specification) }
    if let main, let frame = agreement(kind, blocks, main) { return (frame, .agreement) }
    return (nil, .none)
  }

  /// Returns the frame whose dimensions, or else whose shape, regions say they apply to; nil if they fit both.
  private func appliedFrame(_ size: StatedSize?) -> RegionDecision.Frame? {
    let stored = StatedSize(geometry.old)
    let displayed = StatedSize(geometry.old.transformed(by: orientation))
    guard let size, stored != displayed else { return nil }
    if size == stored { return .stored }
    if size == displayed { return .displayed }
    if size.hasOtherShape(than: stored) { return .displayed }
    return size.hasOtherShape(than: displayed) ? .stored : nil
  }

  /// The largest mean difference of regions that agree: the sum of the differences of position and size, in fractions.
  private static let tolerance = 0.1
  /// The maximum number of pairs of regions that are compared; of more, it is not known whether they agree.
  private static let maxPairs = 1 << 20

  /// Returns the frame in which regions agree with those of the Metadata Working Group; nil if in none.
  private func agreement(
    _ kind: RegionDecision.Kind,
    _ blocks: [XMPBlock],
    _ main: (frame: RegionDecision.Frame, regions: [RegionGeometry.Region])
  ) -> RegionDecision.Frame? {
    let toDisplayed = RegionGeometry(of: geometry.old, orientation)
    let displayed =
      main.frame == .displayed ? main.regions : main.regions.map { toDisplayed.shares($0) }
    func difference(_ frame: RegionDecision.Frame) -> Double {
      let size = frame == .stored ? geometry.old : toDisplayed.new
      let regions = blocks.flatMap { $0.regions(kind, size) }.map {
        frame == .stored ? toDisplayed.shares($0) : $0
      }
      guard !regions.isEmpty, !displayed.isEmpty,
        regions.count <= Self.maxPairs / displayed.count
      else { return .infinity }
      return regions.reduce(0) { sum, region in
        sum + (displayed.map { $0.difference(to: region) }.min() ?? .infinity)
      } / Double(regions.count)
    }
    let (inStored, inDisplayed) = (difference(.stored), difference(.displayed))
    guard min(inStored, inDisplayed) <= Self.tolerance else { return nil }
    // Symmetric regions agree in both frames.
    if abs(inStored - inDisplayed) < 0.001 { return main.frame }
    return inStored < inDisplayed ? .stored : .displayed
  }
}

extension RegionGeometry {
  /// Returns the mapping of coordinates of the displayed image to the same result.
  fileprivate func fromDisplayed(_ orientation: OrientationTransform) -> RegionGeometry {
    RegionGeometry(
      transform: orientation.inverse.then(transform),
      old: old.transformed(by: orientation),
      window: orientation.matrix(of: old).applied(to: window),
      clips: clips
    )
  }

  /// Whether every region stays where it is.
  fileprivate var isIdentity: Bool {
    transform == .none && window.size == old
  }
}

extension RegionGeometry.Region {
  fileprivate func difference(to other: Self) -> Double {
    abs(x - other.x) + abs(y - other.y) + abs(width - other.width) + abs(height - other.height)
  }
}
