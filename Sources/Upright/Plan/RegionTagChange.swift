internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// What becomes of regions if the displayed image changes and the stored one is kept: those that count in the displayed image
/// follow it.
struct RegionTagChange {
  private var plan: RegionPlan?
  /// Notes on regions that are kept and may not fit.
  private(set) var notes: [Note] = []
  /// The packets in other places than XMP segments.
  private(set) var further: [FurtherXMP] = []

  /// A change of the tag of a JPEG file.
  init(
    _ header: Header,
    _ action: Action,
    _ policy: Options.RegionPolicy,
    _ bytes: Span<UInt8>
  ) {
    let further = header.furtherXMP(bytes)
    let blocks = header.xmp + further.compactMap { $0.block }
    self.init(blocks, action, policy, of: header.frame.size, shown: header.transform)
    self.further = further
  }

  /// A change of the tag of an image of this stored size, which is shown by a transform.
  init(
    _ blocks: [XMPBlock],
    _ action: Action,
    _ policy: Options.RegionPolicy,
    of size: PixelSize,
    shown: OrientationTransform
  ) {
    let tag: Orientation?
    switch action {
    case .changeTag(let orientation): tag = orientation
    case .resetTag: tag = .up
    case .unchanged, .transform, .skip: tag = nil
    }
    self.init(blocks, policy, of: size, from: shown, to: tag?.transform ?? .none)
    // What was displayed by a stale tag was never right.
    if case .resetTag(let reason) = action, reason.code == .conflict { keepAll() }
  }

  /// A change from the transform that displayed the image to another one.
  ///
  /// `isShownOnly` says whether readers know the displayed image only.
  init(
    _ blocks: [XMPBlock],
    _ policy: Options.RegionPolicy,
    of size: PixelSize,
    from old: OrientationTransform,
    to new: OrientationTransform,
    isShownOnly: Bool = false
  ) {
    guard old != new else {
      plan = nil
      return
    }
    let plan = RegionPlan(
      blocks,
      orientation: old,
      remaining: new,
      geometry: RegionGeometry(of: size, .none),
      policy: .auto,
      isShownOnly: isShownOnly
    )
    self.plan = plan
    notes = plan.decisions.filter { $0.disposition == .kept && $0.kind != .xmpSubject }
      .compactMap { $0.note }.map { Note($0.code, $0.text) }
    if policy == .keep { keepAll() }
  }

  /// Keeps all regions, with a note if some do not fit the displayed image any longer.
  private mutating func keepAll() {
    let isMoved = plan?.decisions.contains {
      $0.disposition == .transformed && ($0.frame == .displayed || $0.evidence == .rotation)
    }
    if isMoved == true { notes.append(.regionsKept(in: "XMP")) }
    plan = nil
  }

  /// Returns the values of a packet that fit the displayed image after the change.
  func values(_ block: XMPBlock) -> [XMPValue] {
    plan.map { block.regionValues($0) + block.angleValues($0) } ?? []
  }
}

extension Note {
  /// Returns the note on regions that do not fit the image any longer.
  static func regionsKept(in place: String) -> Note {
    Note(.regionKept, "kept, and no longer fit the image: regions and other positions in \(place)")
  }
}
