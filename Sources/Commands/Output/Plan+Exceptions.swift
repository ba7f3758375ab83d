internal import Upright

/// What a transform keeps although it may not fit the transformed image.
enum Misfit: String, CaseIterable {
  case regions
  case subjects = "subject areas in Exif"
  case registeredData = "registered data"
  case previews = "thumbnails or previews"

  /// The option that changes it; nil if none does.
  var option: String? {
    switch self {
    case .regions, .subjects: "--regions follow"
    case .registeredData: "--registered-data skip"
    case .previews: nil
    }
  }
}

/// Where a transform does less than the word for it promises.
extension Plan {
  /// What is kept although it may not fit the transformed image.
  var misfits: [Misfit] {
    guard case .transform = action else { return [] }
    let kept = regions.filter { $0.disposition == .kept }
    let effects = registeredData.map(\.effect)
    return Misfit.allCases.filter { misfit in
      switch misfit {
      case .regions: kept.contains { $0.kind != .subject }
      case .subjects: kept.contains { $0.kind == .subject }
      case .registeredData: effects.contains(.misregistered)
      case .previews:
        effects.contains(.stale) || embeddedImages.contains { $0.disposition == .stale }
      }
    }
  }

  /// The images in the file, such as `thumbnail`, that are re-encoded although the photo itself is lossless, each role once.
  var exceptions: [String] {
    guard case .transform(_, .lossless) = action else { return [] }
    let images = embeddedImages.filter { $0.disposition == .reencoded }
    return Set(images.map(\.role.rawValue)).sorted()
  }
}
