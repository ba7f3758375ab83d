internal import FoundationEssentials
internal import ImageOrientation
package import Upright

/// The machine's view of what became of a file, as a JSON object; `docs/output.md` documents it.
///
/// Properties that say nothing are nil and left out.
package struct JSONReport: Encodable {
  /// The version of the schema; it changes when a field changes its meaning or goes away.
  package static let schema = "upright/1"

  /// Why a file was left alone or could not be worked on.
  package struct Reason: Encodable {
    package var id: String
    package var text: String
    package var offset: Int?

    package init(id: String, text: String, offset: Int? = nil) {
      self.id = id
      self.text = text
      self.offset = offset
    }
  }

  struct Trimmed: Encodable {
    var columns: Int
    var rows: Int
  }

  struct Redraw: Encodable {
    var psnr: Double?
    var largestError: Int
    var exceptions: Int
    var exceptionBytes: Int
    var sizeBefore: Int
    var sizeAfter: Int
  }

  struct Change: Encodable {
    var field: String
    var offset: Int
    var oldLength: Int
    var newLength: Int
    var old: String?
    var new: String?
  }

  struct Picture: Encodable {
    var role: String
    var offset: Int
    var length: Int
    var width: Int?
    var height: Int?
    var fate: String?
  }

  package var schema = Self.schema
  package var path: String
  /// The path's bytes in hexadecimal, where they are no UTF-8.
  package var pathBytes: String?
  package var output: String?
  package var status: String
  var turn: String?
  var edges: String?
  var trimmed: Trimmed?
  var keptComponents: [Int]?
  var redraw: Redraw?
  package var reason: Reason?
  package var error: Reason?
  var width: Int?
  var height: Int?
  var sampling: String?
  var coding: String?
  var orientation: Int?
  package var size: Int?
  package var sha256: String?
  var pictures: [Picture]?
  var changes: [Change]?
  var notes: [String]?
  var verification: String?
  /// Whether the identical file can be restored from the result with its undo record.
  var restorable: Bool?
  package var sidecar: String?
  package var warnings: [String]?

  /// A report that says no more than the file and what became of it.
  package init(path: String, status: Status) {
    self.path = path
    self.status = status.rawValue
  }

  /// The report of a file that is planned for, as in an audit.
  package init(path: String, planned plan: Plan) {
    self.init(path: path, status: Status(plan, isDone: false))
    describe(plan, isDone: false)
  }

  /// The report of a file that was worked on.
  package init(path: String, done outcome: Outcome) {
    self.init(path: path, status: Status(outcome.plan, isDone: true))
    describe(outcome.plan, isDone: true)
    guard case .rewritten(let rewrite) = outcome else { return }
    describe(rewrite)
  }

  /// The report of a file that could not be worked on.
  package init(path: String, failed error: UprightError) {
    self.init(path: path, status: .failed)
    self.error = Reason(id: error.code.rawValue, text: error.description, offset: error.offset)
  }

  private mutating func describe(_ plan: Plan, isDone: Bool) {
    width = plan.picture.width
    height = plan.picture.height
    sampling = plan.picture.sampling
    coding = plan.picture.coding
    orientation = plan.picture.orientation?.rawValue
    if !plan.pictures.isEmpty {
      pictures = plan.pictures.map {
        Picture(
          role: $0.role.rawValue,
          offset: $0.range.lowerBound,
          length: $0.range.count,
          width: $0.width,
          height: $0.height,
          fate: isDone && plan.action.rewrites ? $0.fate.rawValue : nil
        )
      }
    }
    if !plan.notes.isEmpty { notes = plan.notes }
    switch plan.action {
    case .nothing(let why), .leave(let why), .resetTag(let why):
      reason = Reason(id: why.identifier, text: why.explanation)
    case .turn(let turn, let edges):
      self.turn = turn.rawValue
      switch edges {
      case .exact: self.edges = "exact"
      case .redrawn(let kept, _):
        self.edges = "redrawn"
        keptComponents = kept
      case .trimmed(let columns, let rows):
        self.edges = "trimmed"
        trimmed = Trimmed(columns: columns, rows: rows)
      }
    }
    list(plan.changes)
  }

  private mutating func describe(_ rewrite: Rewrite) {
    list(rewrite.changes)
    size = rewrite.bytes.count
    verification = rewrite.verification.rawValue
    restorable = rewrite.undo != nil
    redraw = rewrite.redraw.map {
      Redraw(
        psnr: $0.psnr.isFinite ? ($0.psnr * 100).rounded() / 100 : nil,
        largestError: $0.largestError,
        exceptions: $0.exceptions,
        exceptionBytes: $0.exceptionBytes,
        sizeBefore: $0.sizeBefore,
        sizeAfter: $0.sizeAfter
      )
    }
  }

  private mutating func list(_ changes: [Upright.Change]) {
    guard !changes.isEmpty else { return }
    self.changes = changes.map {
      Change(
        field: $0.field,
        offset: $0.range.lowerBound,
        oldLength: $0.range.count,
        newLength: $0.replacement.count,
        old: $0.old.isEmpty ? nil : $0.old,
        new: $0.new.isEmpty ? nil : $0.new
      )
    }
  }

  /// The object on one line, without a line end.
  package var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("a report has only strings and numbers, which can always be encoded")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
