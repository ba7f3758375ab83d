internal import Archive
internal import FoundationEssentials
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// One line of NDJSON: the machine's view of a ``FileReport``, documented in `docs/output.md`.
struct JSONReport: Encodable {
  /// The version of the schema; it changes when a field changes its meaning or goes away.
  static let schema = "upright/1"

  struct Reason: Encodable {
    var id: String
    var text: String
    var offset: Int?
  }

  struct Trimmed: Encodable {
    var columns: Int
    var rows: Int
  }

  struct Crop: Encodable {
    struct Rectangle: Encodable {
      var x: Int
      var y: Int
      var width: Int
      var height: Int

      init(_ rectangle: PixelRectangle) {
        (x, y) = (rectangle.x, rectangle.y)
        (width, height) = (rectangle.width, rectangle.height)
      }
    }

    var requested: Rectangle
    var result: Rectangle
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

  /// What an audit finds besides the plan.
  struct Facts: Encodable {
    struct Trimming: Encodable {
      var columns: Int
      var rows: Int
    }

    var size: Int
    var exifOrientation: Int?
    var xmpOrientation: Int?
    var trimming: Trimming?
    var conflicts: [String]?
    var camera: String?
    var captured: String?
    var gps: Bool
    var thumbnail: Bool
    var gainMap: Bool
    var motionPhoto: Bool
    var trailingBytes: Int?
    var contentCredentials: Bool
    var regions: Bool
    var subjectArea: Bool

    init(_ facts: Upright.Facts) {
      size = facts.size
      exifOrientation = facts.exifOrientation
      xmpOrientation = facts.xmpOrientation
      trimming = facts.trimming.map { Trimming(columns: $0.columns, rows: $0.rows) }
      conflicts = facts.conflicts.isEmpty ? nil : facts.conflicts
      camera = facts.camera
      captured = facts.captured
      gps = facts.hasPosition
      thumbnail = facts.pictures.contains { $0.role == .thumbnail }
      gainMap = facts.hasGainMap
      motionPhoto = facts.isMotionPhoto
      trailingBytes = facts.trailingBytes
      contentCredentials = facts.hasContentCredentials
      regions = facts.hasRegions
      subjectArea = facts.hasSubjectArea
    }
  }

  var schema = Self.schema
  var path: String
  /// The path's bytes in hexadecimal, where they are no UTF-8.
  var pathBytes: String?
  var output: String?
  var status: String
  var turn: String?
  var seen: String?
  var edges: String?
  var trimmed: Trimmed?
  /// The rectangle that was asked for and what it became, in the upright picture.
  var crop: Crop?
  var keptComponents: [Int]?
  var redraw: Redraw?
  var reason: Reason?
  var error: Reason?
  var width: Int?
  var height: Int?
  var sampling: String?
  var coding: String?
  var orientation: Int?
  var size: Int?
  var sha256: String?
  var pictures: [Picture]?
  var changes: [Change]?
  var notes: [String]?
  var verification: String?
  /// Whether the identical file can be restored from the result with its undo record.
  var restorable: Bool?
  var sidecar: String?
  var facts: Facts?
  var warnings: [String]?

  init(_ report: FileReport) {
    path = report.path.string
    if String(validating: report.path) == nil {
      pathBytes = report.path.bytes.map { String($0, radix: 16).leftPadded(to: 2) }.joined()
    }
    sidecar = report.sidecar
    output = report.output?.string
    status = report.status.rawValue
    if !report.warnings.isEmpty { warnings = report.warnings }
    if case .failed(let failure) = report.result {
      error = Reason(id: failure.identifier, text: failure.message, offset: failure.offset)
    }
    if case .undo(let undo) = report.result {
      reason = undo.reason.map { Reason(id: $0.identifier, text: $0.explanation) }
      size = undo.original?.size
      sha256 = undo.original?.sha256
    }
    facts = report.facts.map(Facts.init)
    guard let plan = report.plan else { return }
    width = plan.picture.width
    height = plan.picture.height
    sampling = plan.picture.sampling
    coding = plan.picture.coding
    orientation = plan.picture.orientation?.rawValue
    let embedded = report.facts?.pictures ?? plan.pictures
    if !embedded.isEmpty {
      pictures = embedded.map {
        Picture(
          role: $0.role.rawValue,
          offset: $0.range.lowerBound,
          length: $0.range.count,
          width: $0.width,
          height: $0.height,
          fate: report.isDone && plan.action.rewrites ? $0.fate.rawValue : nil
        )
      }
    }
    if !plan.notes.isEmpty { notes = plan.notes }
    switch plan.action {
    case .nothing(let why), .leave(let why), .resetTag(let why):
      reason = Reason(id: why.identifier, text: why.explanation)
    case .changeTag: break
    case .turn(let turn, let edges):
      self.turn = turn.rawValue
      crop = plan.crop.map {
        Crop(requested: .init($0.requested), result: .init($0.result))
      }
      let seen = TextFormat.seen(turn, of: plan.picture)
      if seen != .none { self.seen = seen.rawValue }
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
    var changes = plan.changes
    if case .done(.rewritten(let rewrite)) = report.result {
      changes = rewrite.changes
      size = rewrite.bytes.count
      verification = rewrite.verification.rawValue
      restorable = report.isRestorable
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

  /// The line, without its line end.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("a report has only strings and numbers, which can always be encoded")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
