internal import Conversion
internal import FileBytes
internal import FileSystem
internal import Records
package import Reports
internal import SystemPackage
package import Upright

extension JSONReport {
  /// Creates the object of one line of NDJSON.
  package init(_ report: borrowing FileReport) {
    let valid = String(validating: report.path)
    let path = valid ?? report.path.string
    switch report.result {
    case .planned(let plan):
      self.init(path: path, sharing: plan, report.sharedFacts)
      size = report.sizes?.after
    case .done(let outcome): self.init(path: path, done: outcome)
    case .failed(let error): self.init(path: path, failed: error)
    case .interrupted: self.init(path: path, status: .interrupted)
    case .conversion(let conversion):
      switch conversion.outcome {
      case .converted(let image): self.init(path: path, converted: image, isDry: conversion.isDry)
      case .skipped(let reason): self.init(path: path, skipped: reason)
      }
    case .undo(let undo):
      self.init(path: path, status: undo.status)
      reason = undo.reason
      size = undo.original?.size
      sha256 = undo.original?.sha256
    }
    if valid == nil { pathBytes = report.path.bytes.hexadecimal() }
    output = report.output?.string
    companions = report.companions.map { Companion($0) }
    expectedName = report.expectedName
    pairedWith = report.pairedWith
    hashes = report.hashes.map { ($0.before.hexadecimal, $0.after.hexadecimal) }
    warnings = report.warnings
  }
}

extension FileReport {
  /// What the system refused to copy, and what could not be written besides.
  package var warnings: [Note] {
    lost.map { Note($0.warning, "\($0.text) could not be preserved") }
      + logFailures.map { Note(.logNotWritten, "cannot write \($0.path.escaped): \($0.message)") }
  }
}

extension LostAttribute {
  /// The identifier of the warning.
  fileprivate var warning: Note.Code {
    switch self {
    case .owner: .ownerLost
    case .group: .groupLost
    case .mode: .modeLost
    case .extendedAttribute: .attributeLost
    }
  }

  /// The attribute as text.
  fileprivate var text: String {
    switch self {
    case .owner: "the file's owner"
    case .group: "the file's group"
    case .mode: "who may read a file, which is the same for all files of this file system,"
    case .extendedAttribute(let name):
      "the extended attribute \(String(decoding: name, as: UTF8.self).escaped)"
    }
  }
}

extension Companion {
  /// Creates the object of a companion.
  init(_ result: CompanionResult) {
    self.init(
      path: result.path.string,
      pathBytes: String(validating: result.path) == nil ? result.path.bytes.hexadecimal() : nil,
      result.kind,
      result.name,
      result.action,
      isDone: result.isDone,
      cause: result.cause,
      orientation: result.orientation,
      output: result.output?.string,
      error: result.error,
      notes: result.notes,
      remedies: result.remedies
    )
  }
}
