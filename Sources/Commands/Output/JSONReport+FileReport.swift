internal import Conversion
internal import FileSystem
internal import ImageOrientation
internal import JPEGCore
internal import Reports
internal import SystemPackage
internal import TurboTransform
internal import Upright

extension JSONReport {
  /// Creates the object of one line of NDJSON.
  init(_ report: FileReport) {
    let path = report.path.string
    switch report.result {
    case .planned(let plan): self.init(path: path, planned: plan, facts: report.facts)
    case .done(let outcome): self.init(path: path, done: outcome)
    case .failed(let failure):
      self.init(path: path, status: .failed)
      error = Reason(
        id: failure.identifier,
        text: failure.message,
        offset: failure.offset,
        remedies: failure.remedies
      )
    case .interrupted: self.init(path: path, status: .interrupted)
    case .conversion(let conversion):
      self.init(path: path, status: conversion.status)
      describe(conversion)
    case .undo(let undo):
      self.init(path: path, status: undo.status)
      reason = undo.reason.map(Reason.init)
      size = undo.original?.size
      sha256 = undo.original?.sha256
    }
    if String(validating: report.path) == nil {
      pathBytes = report.path.bytes.hexadecimal()
    }
    output = report.output?.string
    sidecar = report.sidecar
    expectedName = report.expectedName
    if !report.pairedWith.isEmpty { pairedWith = report.pairedWith }
    if !report.warnings.isEmpty { warnings = report.warnings }
  }

  private mutating func describe(_ conversion: FileReport.Conversion) {
    reason = conversion.reason.map(Reason.init)
    guard let image = conversion.image else { return }
    width = image.size.width
    height = image.size.height
    sampling = image.sampling.rawValue
    quality = image.quality
    size = image.bytes.count
    if image.transform != .none { transform = image.transform.rawValue }
    if !image.losses.isEmpty {
      losses = image.losses.map { Loss(id: $0.kind.rawValue, text: $0.text) }
    }
    if !image.notes.isEmpty { notes = image.notes.map(\.text) }
    list(image.changes)
  }
}
