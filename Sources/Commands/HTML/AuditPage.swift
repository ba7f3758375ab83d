internal import Archive
internal import FoundationEssentials
internal import Records
internal import Synchronization
internal import SystemPackage
internal import Upright

/// One page of HTML that shows an audit, complete in itself; written while the audit goes on.
///
/// Nothing is kept of a file once its row is written. The page draws itself from the rows.
final class AuditPage: Sendable {
  private struct State: ~Copyable, Sendable {
    var file: StreamedFile
    /// Why the page cannot be written.
    var failure: FileError?
    var rows = 0
    var pictures = 0
  }

  /// A file's part of the page.
  struct Row: Sendable {
    fileprivate var beginning: [UInt8]
    /// The thumbnail in Base64.
    fileprivate var picture: String?
  }

  private let state: Mutex<State>
  private let template = Template()

  /// The most thumbnails in a page.
  private static let mostPictures = 500
  /// The largest thumbnail that is shown, in bytes; EXIF has no room for larger ones.
  private static let largestPicture = 1 << 16

  /// Begins a page; one that is there from before is replaced, and no other file.
  ///
  /// - Throws: ``FileError``.
  init(_ path: FilePath) throws(FileError) {
    let file = try StreamedFile(path, replacing: Array(Template.signature.utf8))
    try file.append(template.opening)
    state = Mutex(State(file: file))
  }

  /// Makes the row of a file.
  func row(_ report: FileReport) -> Row {
    let row = AuditRow(report)
    let hasRoom = row.attention == true && state.withLock { $0.pictures < Self.mostPictures }
    let picture = hasRoom ? Self.thumbnail(report) : nil
    return Row(
      beginning: row.beginning,
      picture: picture.map { Data($0).base64EncodedString() }
    )
  }

  /// The JPEG in the place of the thumbnail.
  private static func thumbnail(_ report: FileReport) -> [UInt8]? {
    guard let range = report.facts?.pictures.first(where: { $0.role == .thumbnail })?.range,
      range.count <= largestPicture,
      let reader = try? FileReader(report.path),
      let bytes = try? reader.read(at: range.lowerBound, count: range.count),
      bytes.starts(with: [0xFF, 0xD8, 0xFF])
    else { return nil }
    return bytes
  }

  /// Appends rows.
  func append(_ rows: [Row]) {
    state.withLock { state in
      guard state.failure == nil else { return }
      var bytes: [UInt8] = []
      for row in rows {
        bytes += Array((state.rows == 0 ? "\n" : ",\n").utf8) + row.beginning
        if let picture = row.picture, state.pictures < Self.mostPictures {
          bytes += Array(",\"picture\":\"\(picture)\"".utf8)
          state.pictures += 1
        }
        bytes.append(UInt8(ascii: "}"))
        state.rows += 1
      }
      do throws(FileError) {
        try state.file.append(bytes)
      } catch {
        state.failure = error
      }
    }
  }

  /// Ends the page and gives it its name.
  ///
  /// - Parameter skipped: What was not looked at, as a JSON object of counts.
  /// - Throws: ``FileError``; there is no new page then.
  func finish(skipped: String) throws(FileError) {
    try state.withLock { state throws(FileError) in
      if let failure = state.failure { throw failure }
      try state.file.append(Array("\n],\"skipped\":\(skipped)}".utf8) + template.ending)
      try state.file.finish()
    }
  }
}

/// What stands around the data.
private struct Template {
  /// What every page begins with.
  static let signature = "<!DOCTYPE html>\n<!-- upright audit -->\n"

  let opening: [UInt8]
  let ending: [UInt8]

  init() {
    let style = PackageResources.audit_css
    let script = PackageResources.audit_js
    let policy =
      "default-src 'none'; img-src data:; style-src '\(Self.hash(style))'; "
      + "script-src '\(Self.hash(script))'; base-uri 'none'; form-action 'none'"
    let page = String(decoding: PackageResources.audit_html, as: UTF8.self)
      .replacing("{{policy}}", with: policy)
      .replacing("{{style}}", with: String(decoding: style, as: UTF8.self))
      .replacing("{{script}}", with: String(decoding: script, as: UTF8.self))
    let parts = page.split(separator: "{{data}}", maxSplits: 1)
    precondition(page.hasPrefix(Self.signature) && parts.count == 2, "the template has both")
    opening = Array("\(parts[0]){\"version\":\"\(UprightCommand.version)\",\"files\":[".utf8)
    ending = Array(parts[1].utf8)
  }

  /// A hash as Content Security Policy has it.
  private static func hash(_ bytes: [UInt8]) -> String {
    "sha256-" + Data(Digest(of: bytes).bytes).base64EncodedString()
  }
}
