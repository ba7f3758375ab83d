internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import Reports
internal import SystemPackage
internal import Upright

/// Why a photo is left because of the files beside it.
extension Reason {
  private static let ignoring = [Remedy(.policy("sidecars", "ignore"), "rewrite it anyway")]
  /// The remedy where the photo's own sidecar is left as it is.
  private static let ignoringSidecar = [
    Remedy(
      .policy("sidecars", "ignore"),
      "rewrite the photo alone, and leave a sidecar that does not fit it any more"
    )
  ]

  /// What is done if the sidecar is correct.
  private static func correcting(_ orientation: Int) -> Remedy {
    Remedy(
      .action(.correctOrientation),
      "set the photo's Orientation to \(orientation) and normalize it, if the sidecar is correct"
    )
  }

  /// The reason for a sidecar that another photo may share.
  init(sidecar: SidecarFile, sharedBy owner: Claim) {
    self.init(
      .sidecarShared,
      "the sidecar \(sidecar.name) \(owner.text): give each photo a file of its own",
      remedies: Self.ignoringSidecar
    )
  }

  /// The reason for a sidecar that cannot be read, or not be changed.
  init(sidecar: FilePath, _ error: UprightError) {
    self.init(.sidecarUnreadable, error.text, remedies: Self.ignoringSidecar)
  }

  /// The reason for sidecars of which an interrupted run has replaced the photo only; nil if there are none.
  init?(pending sidecars: [SidecarFile]) {
    let names = sidecars.filter(\.isPending).map(\.name)
    guard !names.isEmpty else { return nil }
    self.init(
      .staleSidecar,
      "a run was interrupted before it replaced the sidecar \(names.joined(separator: ", the sidecar "))",
      remedies: [Remedy(.policy("sidecars", "update"), "complete that run")]
    )
  }

  /// The reason for sidecars whose Orientation differs from that of their photo, which is already upright; nil if there are none.
  init?(conflictOf sidecars: [SidecarFile], _ plan: Plan) {
    guard case .unchanged = plan.action else { return nil }
    let photo = plan.image
    let others = sidecars.compactMap { file -> (name: String, orientation: Int)? in
      guard case .xmp(let sidecar) = file.content, sidecar.contradicts(photo) else { return nil }
      return sidecar.orientation.map { (file.name, $0) }
    }
    guard let other = others.first?.orientation else { return nil }
    let texts = others.map { "the sidecar \($0.name) has Orientation \($0.orientation)" }
    self.init(
      .sidecarConflict,
      "\(texts.joined(separator: ", ")), the photo \(photo.orientation?.rawValue ?? 1)",
      remedies: [
        Remedy(
          .action(.resetSidecar),
          "reset the Orientation of the sidecar, if the photo is correct"
        ),
        photo.format == .jpeg
          ? Self.correcting(other)
          : Remedy(.action(.transformImage), "rotate or flip the photo, if the sidecar is correct"),
      ]
    )
  }

  /// The reason for a sidecar with edits or regions that cannot follow the photo; nil if all can, or may stay as they are.
  init?(misfitOf file: SidecarFile, _ plan: Plan, _ options: Options) {
    guard case .xmp(let sidecar) = file.content else { return nil }
    if let orientation = sidecar.orientation, sidecar.countsOtherwise(than: plan) {
      let own = plan.image.orientation?.rawValue ?? 1
      self.init(
        .sidecarConflict,
        "the sidecar \(file.name) has Orientation \(orientation), the photo \(own), so that "
          + "its edits or regions may count in another frame: correct the one that is wrong",
        remedies: [
          Remedy(
            .action(.resetSidecar),
            "set the sidecar's Orientation to \(own) and normalize both, if the photo is correct"
          ),
          Self.correcting(orientation),
        ] + Self.ignoringSidecar
      )
    } else if options.registeredData == .skip, case let names = sidecar.misfits(of: plan),
      !names.isEmpty
    {
      let keeping = Options.RegisteredDataPolicy.keep.rawValue
      self.init(
        .registeredData,
        "the sidecar \(file.name) has edits that would no longer fit the image: "
          + names.joined(separator: ", "),
        remedies: [Remedy(.policy("registered-data", keeping), "keep them as they are")]
          + Self.ignoringSidecar
      )
    } else {
      return nil
    }
  }

  /// The reason for a file of another program that would do harm to the changed photo; nil if it would not.
  init?(_ neighbour: Neighbour) {
    let subject = "the \(neighbour.kind.name) \(neighbour.path.escaped)"
    let (code, harm): (Code, String)
    switch neighbour.kind.effect {
    case .described, .counterpart: return nil
    case .edit: (code, harm) = (.neighbourEdit, "would be applied to another part of the image")
    case .placement: (code, harm) = (.neighbourMap, "would place the image elsewhere")
    }
    guard !neighbour.isUnread else {
      let text = "\(subject) is too large to find out whether it concerns the photo"
      self.init(code, text, remedies: Self.ignoring)
      return
    }
    let update = Remedy(.policy("sidecars", "update"), "update it with the photo")
    self.init(
      code,
      "\(subject) \(harm)" + (neighbour.owner.map { ", and \($0.text)" } ?? ""),
      remedies: neighbour.isUpdatable ? [update] + Self.ignoring : Self.ignoring
    )
  }

  /// The reason for a sidecar whose undo data no file would hold.
  static func noRoomForUndo(of sidecar: FilePath) -> Reason {
    Reason(
      .noUndo,
      "the sidecar \(sidecar.escaped) cannot hold its undo data",
      remedies: [Remedy(.action(.record), "keep it in a file of its own")]
    )
  }
}

extension Remedy {
  /// To update the sidecar with its photo, or after it.
  static func updateSidecar(_ isWorldFile: Bool) -> Remedy {
    Remedy(
      .policy("sidecars", "update"),
      isWorldFile ? "write that of the result, too" : "update it"
    )
  }
}
