/// What becomes of one kind of regions, and why.
///
/// Programs disagree on whether regions refer to the stored or to the displayed image; the frame is decided for each kind
/// by the evidence in the file (specification, section 4).
public struct RegionDecision: Hashable, Sendable {
  /// A kind of regions.
  public enum Kind: String, CaseIterable, Sendable {
    /// Regions of the Metadata Working Group (`mwg-rs:Regions`).
    case mwg
    /// People tags of Microsoft (`MPReg:Rectangle`).
    case microsoft
    /// Regions of ACDSee (`acdsee-rs:Regions`).
    case acdsee
    /// Image regions of IPTC Extension (`Iptc4xmpExt:ImageRegion`).
    case iptc
    /// SubjectArea and SubjectLocation in Exif.
    case subject
    /// SubjectArea and SubjectLocation in XMP.
    case xmpSubject = "xmp-subject"
  }

  /// The image that coordinates refer to.
  public enum Frame: String, CaseIterable, Sendable {
    /// The image as it is stored, before the Orientation is applied.
    case stored
    /// The image as it is displayed.
    case displayed
  }

  /// What becomes of the regions.
  public enum Disposition: String, CaseIterable, Sendable {
    /// They are transformed with the image.
    case transformed
    /// They describe the displayed image and fit the result as they are.
    case fitting
    /// They are kept, although they describe the image as it was stored, or may do so.
    case kept
  }

  /// What the decision is based on.
  public enum Evidence: String, CaseIterable, Sendable {
    /// The dimensions that the regions say they apply to.
    case appliedToDimensions = "applied-to-dimensions"
    /// Their rotation, which is that of the Orientation.
    case rotation
    /// They agree with the regions of the Metadata Working Group in this frame.
    case agreement
    /// The specification of the kind.
    case specification
    /// Both frames are the same.
    case sameFrame = "same-frame"
    /// The option that was given.
    case option
    /// There is no evidence.
    case none
  }

  /// The kind.
  public var kind: Kind
  /// What becomes of them.
  public var disposition: Disposition
  /// The frame that they are taken to refer to; nil if it is unknown.
  public var frame: Frame?
  /// What the decision is based on.
  public var evidence: Evidence

  /// Creates a decision from its parts.
  package init(kind: Kind, disposition: Disposition, frame: Frame?, evidence: Evidence) {
    self.kind = kind
    self.disposition = disposition
    self.frame = frame
    self.evidence = evidence
  }
}

extension RegionDecision {
  /// The note on regions that are not transformed, or nil.
  package var note: Note? {
    let name =
      switch kind {
      case .mwg: "regions of the Metadata Working Group"
      case .microsoft: "regions of Microsoft"
      case .acdsee: "regions of ACDSee"
      case .iptc: "IPTC image regions"
      case .subject: "SubjectArea or SubjectLocation"
      case .xmpSubject: "SubjectArea or SubjectLocation in XMP"
      }
    let code: Note.Code = kind == .subject ? .subjectKept : .regionKept
    let text: String
    switch (disposition, evidence) {
    case (.transformed, _): return nil
    case (.fitting, _): text = "kept, because they describe the displayed image"
    case (.kept, .none):
      text = "kept, although nothing shows whether they describe the displayed image"
    case (.kept, _): text = "kept, but they describe the image as it was stored"
    }
    let remedies =
      disposition == .kept ? [Remedy(.policy("regions", "follow"), "transform them")] : []
    return Note(code, "\(text): \(name)", remedies: remedies)
  }
}
