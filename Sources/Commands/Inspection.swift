package import ExifReference
internal import JPEGCore
internal import PhotoFiles
package import Reports
internal import SystemPackage
internal import Upright

/// The structure of a file as JSON; documented in `docs/output.md`.
struct Inspection {
  /// The version of the document's schema.
  static let schema = "upright-inspect/2"

  /// A segment, or entropy-coded data without a marker.
  struct Segment: JSONObject {
    var range: Range<Int>
    var marker: String?
    var kind: String?

    func writeFields(to json: inout JSONWriter) {
      json.field("kind", kind)
      json.field("length", range.count)
      json.field("marker", marker)
      json.field("offset", range.lowerBound)
    }
  }

  let path: FilePath
  let bytes: [UInt8]
  /// The planned normalization.
  let outcome: Outcome
  private(set) var segments: [Segment] = []
  /// Exif as read by libexif; nil if there is none.
  let exif: ExifReference?

  /// Inspects a file.
  init(_ path: FilePath, _ bytes: [UInt8], _ rewriter: Rewriter) throws(UprightError) {
    let container = try Container(inspecting: bytes)
    outcome = try rewriter.rewrite(bytes)
    (self.path, self.bytes) = (path, bytes)
    exif = container.segments(.exif, in: bytes.span).first.flatMap {
      ExifReference(app1Payload: Array(bytes[$0.payload]))
    }
    for (index, segment) in container.segments.enumerated() {
      let kind = segment.marker.carriesMetadata ? segment.kind(in: bytes.span).rawValue : nil
      segments.append(
        Segment(range: segment.range, marker: segment.marker.description, kind: kind)
      )
      if let scan = container.scans.first(where: { $0.segment == index }) {
        segments.append(Segment(range: scan.data))
      }
    }
  }
}

extension Inspection: JSONObject {
  func writeFields(to json: inout JSONWriter) {
    let report = FileReport(path: path, result: .done(outcome))
    var normalization = JSONReport(report.advised(isWritten: false))
    normalization.status = Status(outcome.plan, isDone: false)
    json.field("normalization", normalization)
    json.field("path", path.string)
    json.field("segments", segments)
    json.field("size", bytes.count)
    json.field("tags", exif?.tags ?? [])
  }
}

extension ReferenceTag: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("directory", directory.rawValue)
    json.field("name", name)
    json.field("text", text)
  }
}

extension Container {
  /// Parses the structure of a file.
  fileprivate init(inspecting bytes: [UInt8]) throws(UprightError) {
    do throws(ContainerError) { self = try Container(bytes.span) } catch {
      throw UprightError(error, of: bytes.span)
    }
  }
}
