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
    case .planned(let plan):
      self.init(path: path, planned: plan, facts: report.facts)
      size = report.sizes?.after
    case .done(let outcome): self.init(path: path, done: outcome)
    case .failed(let failure): self.init(path: path, failed: failure)
    case .interrupted: self.init(path: path, status: .interrupted)
    case .conversion(let conversion):
      self.init(path: path, status: conversion.status)
      describe(conversion)
    case .undo(let undo):
      self.init(path: path, status: undo.status)
      reason = undo.reason
      size = undo.original?.size
      sha256 = undo.original?.sha256
    }
    if String(validating: report.path) == nil {
      pathBytes = report.path.bytes.hexadecimal()
    }
    output = report.output?.string
    sidecar = report.sidecar
    expectedName = report.expectedName
    pairedWith = report.pairedWith
    warnings = report.warnings
  }

  private mutating func describe(_ conversion: FileReport.Conversion) {
    reason = conversion.reason
    guard let image = conversion.image else { return }
    width = image.size.width
    height = image.size.height
    sampling = image.sampling.rawValue
    quality = image.quality
    size = image.bytes.count
    if image.transform != .none { transform = image.transform }
    losses = image.losses.map { Reason(.init(rawValue: $0.kind.rawValue), $0.text) }
    notes = image.notes
    changes = image.changes
  }
}
