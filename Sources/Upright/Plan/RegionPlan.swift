internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Decides for each kind of regions which frame they refer to and what becomes of them.
struct RegionPlan {
  /// The transform from the stored to the displayed image: that of the Orientation.
  let orientation: OrientationTransform
  /// The transform from the result as it is stored to the result as it is displayed.
  let remaining: OrientationTransform
  let geometry: RegionGeometry
  /// The mapping of the displayed image to the frame in which its regions count in the result.
  private let fromShown: RegionGeometry
  let policy: Options.RegionPolicy
  /// Whether SubjectArea and SubjectLocation can be transformed.
  enum Subject {
    case movable
    /// One has another form than that of the standard, or no room for its new numbers.
    case fixed
  }

  /// One decision for each kind that occurs.
  private(set) var decisions: [RegionDecision] = []
  /// The frame that the dimensions of each kind describe, where it is known.
  private var dimensionFrames: [RegionDecision.Kind: RegionDecision.Frame] = [:]

  /// Decides on the regions of an image that `orientation` displays; `remaining` displays the result.
  ///
  /// `isShownOnly` says whether readers know the displayed image only, as those of HEIF.
  init(
    _ packets: [XMPBlock],
    subject: Subject? = nil,
    orientation: OrientationTransform,
    remaining: OrientationTransform = .none,
    geometry: RegionGeometry,
    policy: Options.RegionPolicy,
    isShownOnly: Bool = false
  ) {
    self.orientation = orientation
    self.remaining = remaining
    self.geometry = geometry
    // Where both frames of the result have one size, regions are taken to count in the stored one.
    let isKnown = isShownOnly || geometry.new != geometry.new.transformed(by: remaining)
    fromShown = geometry.fromDisplayed(orientation, isKnown ? remaining : .none)
    // A crop removes what kept regions would refer to.
    self.policy = policy == .keep && geometry.clips ? .auto : policy
    var main: (frame: RegionDecision.Frame, regions: [RegionGeometry.Region])?
    for kind in [RegionDecision.Kind.mwg, .microsoft, .acdsee, .iptc] {
      let blocks = packets.filter { $0.hasRegions(kind) }
      guard !blocks.isEmpty else { continue }
      var found = frame(of: kind, blocks, main)
      if isShownOnly { found = shown(found) }
      let dimensions = blocks.lazy.compactMap { $0.appliedDimensions(kind) }.first
      dimensionFrames[kind] = isShownOnly ? .displayed : applied(dimensions)
      if kind == .mwg, let frame = found.frame {
        main = (frame, blocks.flatMap { $0.regions(kind, geometry.old) })
      }
      decisions.append(decision(kind, found.frame, found.evidence))
    }
    if let subject { decisions.append(decision(.subject, subject)) }
    let copies = packets.filter { $0.hasSubject }
    if !copies.isEmpty {
      let isMovable = copies.allSatisfy { $0.subjectValues(geometry) != nil }
      decisions.append(decision(.xmpSubject, isMovable ? .movable : .fixed))
    }
  }

  private func decision(_ kind: RegionDecision.Kind, _ subject: Subject) -> RegionDecision {
    var decision = decision(kind, .stored, .specification)
    // In Exif, only Orientation and the dimensions are rewritten unless more is requested.
    let isRequested = policy != .auto || geometry.clips
    if subject == .fixed || !isRequested { decision.disposition = .kept }
    return decision
  }

  /// Returns the mapping of a kind of regions to the result, or nil if they are not transformed.
  func geometry(of kind: RegionDecision.Kind) -> RegionGeometry? {
    guard let decision = decisions.first(where: { $0.kind == kind }),
      decision.disposition == .transformed
    else { return nil }
    return decision.frame == .displayed ? fromShown : geometry
  }

  /// Returns the mapping of the dimensions that a kind of regions applies to, or nil if they are not changed.
  func geometryOfDimensions(_ kind: RegionDecision.Kind) -> RegionGeometry? {
    geometry(of: kind).map { dimensionFrames[kind] == .displayed ? fromShown : $0 }
  }

  /// Returns the frame of regions in a format of which readers know only the displayed image.
  private func shown(
    _ found: (frame: RegionDecision.Frame?, evidence: RegionDecision.Evidence)
  ) -> (frame: RegionDecision.Frame?, evidence: RegionDecision.Evidence) {
    switch found.evidence {
    case .sameFrame: (.displayed, .sameFrame)
    case .appliedToDimensions, .agreement: found
    // What the image was stored like is not known to the program that wrote them.
    case .specification, .rotation, .option, .none: (nil, .none)
    }
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
    let fits = fromShown.isIdentity
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
        // After another transform of the stored image they would be wrong in either frame.
        if !fits, !geometry.isIdentity {
          (decision.disposition, decision.frame) = (.transformed, .displayed)
        }
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
    if kind == .mwg {
      switch rotated(blocks) {
      case true?: return (.stored, .rotation)
      case false?: break
      case nil: return (nil, .none)
      }
    }
    if let size = blocks.lazy.compactMap({ $0.appliedDimensions(kind) }).first {
      if let frame = applied(size) { return (frame, .appliedToDimensions) }
      let fitsBoth = size.isInProportion(to: StatedSize(geometry.old))
      if kind == .mwg, !fitsBoth { return (nil, .none) }
    }
    if kind == .mwg { return (.stored, .specification) }
    if let main, let frame = agreement(kind, blocks, main) { return (frame, .agreement) }
    return (nil, .none)
  }

  /// Returns whether the rotations of regions are that of the Orientation, because they count in the stored frame; nil if
  /// some are and others are not.
  private func rotated(_ blocks: [XMPBlock]) -> Bool? {
    let answers = Set(
      blocks.flatMap { $0.regionRotations }.map { RegionRotation($0).isRotation(of: orientation) }
    )
    return answers.count > 1 ? nil : answers.contains(true)
  }

  /// Returns the frame that dimensions are the size of, or else have the proportions of; nil if they fit both or none.
  private func applied(_ size: StatedSize?) -> RegionDecision.Frame? {
    let stored = StatedSize(geometry.old)
    let displayed = StatedSize(geometry.old.transformed(by: orientation))
    guard let size, stored != displayed else { return nil }
    if size == stored { return .stored }
    if size == displayed { return .displayed }
    let (fits, fitsDisplayed) = (
      size.isInProportion(to: stored), size.isInProportion(to: displayed)
    )
    return fits == fitsDisplayed ? nil : fits ? .stored : .displayed
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
  /// Returns the mapping of coordinates of the displayed image to those of the result, which is displayed by another transform.
  fileprivate func fromDisplayed(
    _ orientation: OrientationTransform,
    _ remaining: OrientationTransform
  ) -> RegionGeometry {
    RegionGeometry(
      transform: orientation.inverse.then(transform).then(remaining),
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
