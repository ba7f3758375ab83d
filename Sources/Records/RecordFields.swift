internal import FileBytes
internal import FileSystem
package import Reports
internal import SystemPackage
internal import Upright

/// The fields of a line, as `docs/record-format.md` defines them.
struct RecordFields {
  enum Content {
    case base(RecordedPath)
    /// A record, and the identifier of the base of its relative paths.
    case record(Record, base: String?)
  }

  var schema = Record.schema
  var content: Content

  /// The line of a base.
  init(base: FilePath) { content = .base(RecordedPath(base)) }

  /// The line of a record, with paths relative to the base.
  init(record: Record, base: RecordBase?) {
    var record = record
    var id = record.missingBase
    func shorten(_ path: inout RecordedPath) {
      guard let base, let relative = base.relative(path.path) else { return }
      path = RecordedPath(relative)
      id = base.id
    }
    shorten(&record.path)
    if var output = record.output {
      shorten(&output)
      record.output = output
    }
    content = .record(record, base: id)
  }
}

extension RecordFields: JSONObject {
  func writeFields(to json: inout JSONWriter) {
    json.field("schema", schema)
    switch content {
    case .base(let path): json.field("base", path)
    case .record(let record, let base):
      json.field("tool", record.tool)
      json.field("date", record.date)
      json.field("action", record.action.rawValue)
      json.field("transform", record.transform)
      json.field("reencoded", record.reencoded)
      json.field("trimmed", record.trimmed)
      json.field("base", base)
      json.field("path", record.path)
      json.field("output", record.output)
      json.field("before", RecordedFile(record.before, record.imageBefore, record.modified))
      json.field("after", RecordedFile(record.after, record.imageAfter))
      json.field("undo", record.undo?.base64)
    }
  }
}

extension RecordFields {
  /// Reads the object of a line.
  init(_ json: JSONValue) throws(JSONValue.Invalid) {
    schema = try json.required("schema") { $0.string }
    guard json.has("path") else {
      content = .base(try json.required("base", RecordedPath.init))
      return
    }
    let before = try json.required("before", RecordedFile.init)
    let after = try json.required("after", RecordedFile.init)
    // What only describes the rewrite is not required, and may have values that this version does not know.
    var reencoded = json["reencoded"].flatMap(Record.Reencoding.init)
    if let psnr = reencoded?.psnr, !(0...1_000).contains(psnr) { reencoded?.psnr = nil }
    let record = Record(
      tool: json["tool"]?.string ?? "",
      date: json["date"]?.string ?? "",
      action: json["action"]?.string.flatMap(Record.Action.init) ?? .other,
      transform: json["transform"]?.string,
      reencoded: reencoded,
      trimmed: json["trimmed"].flatMap(TrimmedEdges.init),
      path: try json.required("path", RecordedPath.init),
      output: try json.optional("output", RecordedPath.init),
      before: before.content,
      after: after.content,
      modified: before.modified.flatMap(RecordedTime.init)?.time,
      imageBefore: before.image,
      imageAfter: after.image,
      undo: try json.optional("undo", PackedUndo.init)
    )
    content = .record(record, base: try json.optional("base") { $0.string })
  }
}

extension Record.Reencoding {
  fileprivate init?(_ json: JSONValue) {
    guard let components = json["components"]?.integers else { return nil }
    self.init(
      components: components,
      psnr: json["psnr"]?.double,
      largestError: json["largestError"]?.integer,
      exceptions: json["exceptions"]?.integer
    )
  }
}

extension TrimmedEdges {
  fileprivate init?(_ json: JSONValue) {
    guard let columns = json["columns"]?.integer, let rows = json["rows"]?.integer
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

/// The fields of a file before or after a rewrite.
private struct RecordedFile: JSONObject {
  var size: Int
  var sha256: Digest
  var modified: String?
  var orientation: Int?
  var width: Int?
  var height: Int?

  init(_ content: Record.Content, _ image: Record.Image?, _ modified: Timestamp? = nil) {
    (size, sha256) = (content.size, content.sha256)
    self.modified = modified.map { RecordedTime($0).text }
    (orientation, width, height) = (image?.orientation, image?.width, image?.height)
  }

  init?(_ json: JSONValue) {
    guard let size = json["size"]?.count, let sha256 = json["sha256"].flatMap(Digest.init)
    else { return nil }
    (self.size, self.sha256) = (size, sha256)
    modified = json["modified"]?.string
    orientation = json["orientation"]?.integer
    width = json["width"]?.integer
    height = json["height"]?.integer
  }

  var content: Record.Content { Record.Content(size: size, sha256: sha256) }

  var image: Record.Image? {
    guard let width, let height else { return nil }
    return Record.Image(orientation: orientation, width: width, height: height)
  }

  func writeFields(to json: inout JSONWriter) {
    json.field("size", size)
    json.field("sha256", sha256.hexadecimal)
    json.field("modified", modified)
    json.field("orientation", orientation)
    json.field("width", width)
    json.field("height", height)
  }
}

extension Record.Reencoding: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("components", components)
    json.field("psnr", psnr.flatMap(Hundredths.init))
    json.field("largestError", largestError)
    json.field("exceptions", exceptions)
  }
}

extension RecordedPath: JSONWritable {
  package func write(to json: inout JSONWriter) {
    guard String(validating: path) == nil else { return path.string.write(to: &json) }
    json.object {
      $0.field("text", path.string)
      $0.field("bytes", path.bytes.hexadecimal())
    }
  }
}
