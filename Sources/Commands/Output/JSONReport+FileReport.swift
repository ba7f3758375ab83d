internal import Archive
internal import Conversion
internal import ImageOrientation
internal import JPEGCore
internal import Reports
internal import SystemPackage
internal import TurboTransform
internal import Upright

extension JSONReport {
  /// One line of NDJSON.
  init(_ report: FileReport) {
    let path = report.path.string
    switch report.result {
    case .planned(let plan): self.init(path: path, planned: plan, facts: report.facts)
    case .done(let outcome): self.init(path: path, done: outcome)
    case .failed(let failure):
      self.init(path: path, status: .failed)
      error = Reason(id: failure.identifier, text: failure.message, offset: failure.offset)
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
    if !report.warnings.isEmpty { warnings = report.warnings }
  }

  private mutating func describe(_ conversion: FileReport.Conversion) {
    reason = conversion.reason.map(Reason.init)
    guard let picture = conversion.picture else { return }
    width = picture.size.width
    height = picture.size.height
    sampling = picture.sampling.rawValue
    quality = picture.quality
    size = picture.bytes.count
    if picture.turn != .none { turn = picture.turn.rawValue }
    if !picture.losses.isEmpty {
      losses = picture.losses.map { Loss(id: $0.kind.rawValue, text: $0.text) }
    }
    if !picture.notes.isEmpty { notes = picture.notes }
    list(picture.changes)
  }
}
