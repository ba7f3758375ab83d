internal import FileBytes
internal import ImageFormats
internal import ImageOrientation
internal import XMPPacket

/// An XMP sidecar file of a photo, which may repeat its orientation and dimensions (specification, section 4).
public struct Sidecar: Sendable {
  private let bytes: [UInt8]
  private let block: XMPBlock

  /// Reads a sidecar.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``UprightError`` of code `malformed`, or `unsupported` if it has a notation of XML that this build does
  ///   not read.
  public init(_ bytes: [UInt8]) throws(UprightError) {
    self.bytes = bytes
    var code = UprightError.Code.malformed
    do throws(XMPError) {
      block = XMPBlock(try XMPPacket(bytes))
    } catch {
      if case .unsupportedNotation = error { code = .unsupported }
      throw UprightError(code, "the sidecar cannot be read: \(error)")
    }
  }

  /// The value of Orientation in the sidecar, or nil if it has none.
  public var orientation: Int? { block.orientation.flatMap { Int(exactly: $0) } }

  /// Whether the sidecar has edits of darktable, which count in the stored image.
  package var isEdited: Bool { block.hasDarktableGeometry }

  /// The file name extension of the photo that the sidecar names (`photoshop:SidecarForExtension`), such as `CR2`.
  package var photoExtension: String? {
    block.own(XMPNamespace.photoshop, "SidecarForExtension").first?.value
  }

  /// Whether the sidecar states another orientation than that in which readers show a photo.
  ///
  /// Where the format has its own statement, 1 contradicts nothing.
  package func contradicts(_ image: ImageInfo) -> Bool {
    guard let orientation, orientation != image.orientation?.rawValue ?? 1 else { return false }
    return image.format == .jpeg || orientation != 1
  }

  /// Returns the sidecar that describes the image after a plan: its Orientation, dimensions, crop and corrections of
  /// Camera Raw, and, depending on the options, regions.
  ///
  /// In that of a HEIF image, no sample of which is moved, only Orientation changes.
  ///
  /// If the photo is already upright and the sidecar contradicts its Orientation, the sidecar is reset if
  /// ``Options/onConflict`` is `.resetTag`.
  ///
  /// - Parameters:
  ///   - plan: The plan of the photo.
  ///   - options: The options of the plan.
  /// - Returns: The new sidecar, or nil if it needs no change.
  public func normalized(for plan: Plan, options: Options) -> Update? {
    let values =
      plan.image.format == .jpeg
      ? valuesOfJPEG(plan, options) : valuesOfOtherFormat(plan, options)
    guard let edits = block.edits(values), !edits.isEmpty else { return nil }
    return Update(bytes, edits)
  }

  /// Orientation, where readers follow what the format states: 1, or the same as that if it was before.
  private func valuesOfOtherFormat(_ plan: Plan, _ options: Options) -> [XMPValue] {
    let agrees = orientation == plan.image.orientation?.rawValue
    switch plan.action {
    case .transform(let transform, _):
      let regions = regionChange(plan, options)?.values(block) ?? []
      guard orientation != 1 else { return regions }
      return block.orientationValues(agrees ? Orientation(uprightBy: transform) : .up) + regions
    case .resetTag: return agrees ? [] : block.orientationValues()
    case .changeTag(let orientation):
      return block.orientationValues(orientation ?? .up)
        + (regionChange(plan, options)?.values(block) ?? [])
    case .unchanged where options.onConflict == .resetTag:
      return contradicts(plan.image) ? block.orientationValues() : []
    case .unchanged, .skip: return []
    }
  }

  /// What becomes of the regions if the displayed image changes and the stored one is kept; nil if another change is planned.
  private func regionChange(_ plan: Plan, _ options: Options) -> RegionTagChange? {
    let shown = plan.image.orientation?.transform ?? .none
    switch plan.action {
    case .transform(let transform, _) where plan.image.format != .jpeg:
      return RegionTagChange(
        [block],
        options.regions,
        of: plan.image.size,
        from: shown,
        to: transform,
        isShownOnly: true
      )
    case .resetTag, .changeTag:
      return RegionTagChange(
        [block],
        plan.action,
        options.regions,
        of: plan.image.size,
        shown: shown
      )
    case .transform, .unchanged, .skip: return nil
    }
  }

  /// Returns the notes on what is kept in the sidecar although it may not fit the image after a plan.
  package func notes(for plan: Plan, options: Options) -> [Note] {
    switch plan.action {
    case .transform(let transform, let edges):
      guard plan.image.format == .jpeg else {
        let regions = regionChange(plan, options)?.notes ?? []
        return regions + [block.editsNote].compactMap { $0 }
      }
      let regions = RegionPlan(
        [block],
        orientation: plan.image.orientation?.transform ?? .none,
        geometry: RegionGeometry(plan, transform, edges),
        policy: options.regions
      )
      let kept = regions.decisions.filter { $0.disposition == .kept }.compactMap { $0.note }
      return kept + [XMPBlock.note(on: misfits(of: plan))].compactMap { $0 }
    case .resetTag, .changeTag: return regionChange(plan, options)?.notes ?? []
    case .unchanged, .skip: return []
    }
  }

  /// Returns the names of the edits of Camera Raw that would be applied to other parts of a JPEG image after a plan; empty if there
  /// are none, or all follow the image.
  package func misfits(of plan: Plan) -> [String] {
    guard plan.image.format == .jpeg, case .transform = plan.action else { return [] }
    let edits = CameraRawEdits(block)
    let isKept = edits.hasUnknown || edits.hasPerspective || plan.isCropped && !edits.isEmpty
    return isKept ? Reference.positions(in: block, following: plan.isCropped) : []
  }

  /// Whether it has edits or regions that count in another frame than the photo's, because it states another orientation.
  package func countsOtherwise(than plan: Plan) -> Bool {
    guard plan.image.format == .jpeg, case .transform(let transform, let edges) = plan.action,
      contradicts(plan.image)
    else { return false }
    let regions = RegionPlan(
      [block],
      orientation: plan.image.orientation?.transform ?? .none,
      geometry: RegionGeometry(plan, transform, edges),
      policy: .keep
    )
    let edits = CameraRawEdits(block)
    return !edits.isEmpty || edits.hasPerspective || !regions.decisions.isEmpty
  }

  private func valuesOfJPEG(_ plan: Plan, _ options: Options) -> [XMPValue] {
    switch plan.action {
    case .transform(let transform, let edges):
      let geometry = RegionGeometry(plan, transform, edges)
      let regions = RegionPlan(
        [block],
        orientation: plan.image.orientation?.transform ?? .none,
        geometry: geometry,
        policy: options.regions
      )
      return block.transformedValues(regions, orientation: .up)
    case .resetTag:
      return block.orientationValues() + (regionChange(plan, options)?.values(block) ?? [])
    case .changeTag(let orientation):
      return block.orientationValues(orientation ?? .up)
        + (regionChange(plan, options)?.values(block) ?? [])
    case .unchanged where options.onConflict == .resetTag:
      let own = plan.image.orientation ?? .up
      guard !block.orientationValues(own).isEmpty else { return [] }
      let size = plan.image.size
      // Dimensions are stale too if width and height are swapped.
      return block.normalizedValues(
        transform: .none,
        from: size.transposed,
        to: size,
        orientation: own
      )
    case .unchanged, .skip: return []
    }
  }

  /// A rewritten sidecar.
  public struct Update: Hashable, Sendable {
    /// The original sidecar.
    public var original: [UInt8]
    /// The new sidecar.
    public var bytes: [UInt8]
    /// Every change, in file order.
    public var changes: [Change]
    /// The data that restores the original, or nil if that is impossible.
    public var undo: UndoRecord?

    /// Applies edits to a sidecar.
    init(_ original: [UInt8], _ edits: [Edit]) {
      self.original = original
      bytes = edits.applied(to: original)
      changes = edits.changes(in: bytes)
      let undo = UndoRecord(
        delta: Delta(changes, original),
        images: [],
        resultSize: bytes.count
      )
      self.undo = (try? undo.restoreOriginal(from: bytes)) == original ? undo : nil
    }
  }
}
