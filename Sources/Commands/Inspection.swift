internal import ExifReference
internal import JPEGCore
internal import Reports
internal import SystemPackage
internal import Upright

/// The structure of a file as JSON; documented in `docs/output.md`.
struct Inspection {
  /// The version of the document's schema.
  static let schema = "upright-inspect/2"

  /// A segment, or entropy-coded data without a marker.
  struct Segment: JSONObject {
    var offset: Int
    var length: Int
    var marker: String?
    var kind: String?

    func writeFields(to json: inout JSONWriter) {
      json.field("kind", kind)
      json.field("length", length)
      json.field("marker", marker)
      json.field("offset", offset)
    }
  }

  /// A tag as read by libexif.
  struct Tag: JSONObject {
    var directory: String
    var name: String
    var text: String

    func writeFields(to json: inout JSONWriter) {
      json.field("directory", directory)
      json.field("name", name)
      json.field("text", text)
    }
  }

  var path: String
  var size: Int
  var segments: [Segment] = []
  var tags: [Tag] = []
  /// The planned normalization: an object of `upright/2`.
  var normalization: JSONReport

  /// Inspects a file.
  ///
  /// - Throws: ``UprightError``.
  init(_ path: FilePath, _ bytes: [UInt8], _ rewriter: Rewriter) throws(UprightError) {
    let container = try Container(inspecting: bytes)
    let outcome = try rewriter.rewrite(bytes)
    self.path = path.string
    size = bytes.count
    let report = FileReport(path: path, result: .done(outcome))
    normalization = JSONReport(report.advised(isWritten: false))
    normalization.status = Status(outcome.plan, isDone: false)
    for (index, segment) in container.segments.enumerated() {
      let kind = segment.marker.carriesMetadata ? segment.kind(in: bytes.span).rawValue : nil
      segments.append(
        Segment(
          offset: segment.range.lowerBound,
          length: segment.range.count,
          marker: segment.marker.description,
          kind: kind
        )
      )
      if let scan = container.scans.first(where: { $0.segment == index }) {
        segments.append(Segment(offset: scan.data.lowerBound, length: scan.data.count))
      }
    }
    guard let segment = container.segments(.exif, in: bytes.span).first,
      let exif = ExifReference(app1Payload: Array(bytes[segment.payload]))
    else { return }
    tags = exif.tags.map { Tag(directory: $0.directory.rawValue, name: $0.name, text: $0.text) }
  }
}

extension Inspection: JSONObject {
  func writeFields(to json: inout JSONWriter) {
    json.field("normalization", normalization)
    json.field("path", path)
    json.field("segments", segments)
    json.field("size", size)
    json.field("tags", tags)
  }
}
