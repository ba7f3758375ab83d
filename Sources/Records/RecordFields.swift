internal import FileSystem
internal import JPEGCore
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

extension RecordFields: Decodable {
  private enum Key: String, CodingKey {
    case schema, tool, date, action, transform, reencoded, trimmed, base, path, output, before
    case after, undo
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    schema = try fields.decode(String.self, forKey: .schema)
    guard fields.contains(.path) else {
      content = .base(try fields.decode(RecordedPath.self, forKey: .base))
      return
    }
    let before = try fields.decode(RecordedFile.self, forKey: .before)
    let after = try fields.decode(RecordedFile.self, forKey: .after)
    // What only describes the rewrite is not required, and may have values that this version does not know.
    func described<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
      try? fields.decodeIfPresent(type, forKey: key)
    }
    var reencoded = described(.reencoded, as: Record.Reencoding.self)
    if let psnr = reencoded?.psnr, !(0...1_000).contains(psnr) { reencoded?.psnr = nil }
    let record = Record(
      tool: described(.tool) ?? "",
      date: described(.date) ?? "",
      action: described(.action) ?? .other,
      transform: described(.transform),
      reencoded: reencoded,
      trimmed: described(.trimmed),
      path: try fields.decode(RecordedPath.self, forKey: .path),
      output: try fields.decodeIfPresent(RecordedPath.self, forKey: .output),
      before: before.content,
      after: after.content,
      modified: before.modified.flatMap(RecordedTime.init)?.time,
      imageBefore: before.image,
      imageAfter: after.image,
      undo: try fields.decodeIfPresent(PackedUndo.self, forKey: .undo)
    )
    content = .record(record, base: try fields.decodeIfPresent(String.self, forKey: .base))
  }
}

/// The fields of a file before or after a rewrite.
private struct RecordedFile: Decodable, JSONObject {
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

  private enum Key: String, CodingKey {
    case size, sha256, modified, orientation, width, height
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    size = try fields.decode(Int.self, forKey: .size)
    sha256 = try fields.decode(Digest.self, forKey: .sha256)
    modified = try? fields.decode(String.self, forKey: .modified)
    orientation = try? fields.decode(Int.self, forKey: .orientation)
    width = try? fields.decode(Int.self, forKey: .width)
    height = try? fields.decode(Int.self, forKey: .height)
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
