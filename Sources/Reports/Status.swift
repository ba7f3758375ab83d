internal import ImageOrientation
public import Upright

/// The result of the work on one file, as one word.
public enum Status: String, CaseIterable, Sendable {
  /// No change is needed: the image is stored as it is displayed.
  case alreadyUpright = "already-upright"
  /// No change is needed for another reason.
  case unchanged
  /// A dry run or an audit would change the file.
  case planned
  /// The image is transformed as its Orientation tag requires.
  case normalized
  /// The displayed image is rotated.
  case rotated
  /// The displayed image is mirrored: flipped, transposed or transversed.
  case flipped
  /// The displayed image is cropped.
  case cropped
  /// A stale Orientation is set to 1, and the image is kept.
  case reset
  /// The tag is changed on request, and the image is kept.
  case tagged
  /// The original is restored.
  case restored
  /// A dry run: the original can be restored.
  case restorable
  /// The undo data in the file was removed.
  case stripped
  /// A JPEG file is written.
  case converted
  /// A dry run: a JPEG file can be written.
  case convertible
  /// The file is left, for a reason that somebody should look at.
  case skipped
  /// The file cannot be processed.
  case failed
  /// A signal ended the run before the file was replaced; it is unchanged.
  case interrupted

  /// Whether no work remains on the file, so that a resumed run need not read it again.
  package var isSettled: Bool {
    switch self {
    case .alreadyUpright, .unchanged, .normalized, .rotated, .flipped, .cropped, .reset, .tagged,
      .restored, .stripped, .converted:
      true
    case .planned, .restorable, .convertible, .skipped, .failed, .interrupted: false
    }
  }

  /// Whether no change is needed.
  package var isUnchanged: Bool { self == .alreadyUpright || self == .unchanged }

  /// Returns the status of a file with a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - isDone: Whether the plan was carried out.
  public init(_ plan: Plan, isDone: Bool) { self = plan.status(isDone: isDone) }
}

extension Plan {
  fileprivate func status(isDone: Bool) -> Status {
    switch action {
    case .unchanged: image.isUpright ? .alreadyUpright : .unchanged
    case .skip: .skipped
    case .transform(let transform, _) where isDone: status(after: transform)
    case .changeTag where isDone: .tagged
    case .resetTag where isDone: .reset
    case .transform, .changeTag, .resetTag: .planned
    }
  }

  private func status(after transform: OrientationTransform) -> Status {
    if isCropped { return .cropped }
    let displayed = image.displayed(transform)
    return displayed == .none ? .normalized : displayed.mirrors ? .flipped : .rotated
  }
}

extension Shared<Plan> {
  /// The status of a file with this plan, which was not carried out.
  package var status: Status { value.status(isDone: false) }
}
