internal import FileSystem
internal import PhotoFiles
internal import Reports
internal import Synchronization
internal import SystemPackage
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One page of HTML that shows an audit, complete in itself; written while the audit goes on.
///
/// Nothing is kept of a file once its row is written. The page draws itself from the rows.
final class AuditPage: Sendable {
  /// How an audit was made.
  struct Settings: JSONObject {
    var version = Version.current
    /// The time in UTC, as in `2024-05-06T07:08:09Z`.
    var created = Self.now.ISO8601Format()
    /// The command, quoted for a shell.
    var command: String
    /// The policies by the names of their options.
    var policies: [String: String]
    /// The options of the command that does what the page shows.
    var nonDefault: [String: String]

    func writeFields(to json: inout JSONWriter) {
      json.field("command", command)
      json.field("created", created)
      json.field("nonDefault", nonDefault)
      json.field("policies", policies)
      json.field("questions", Self.questions)
      json.field("reasons", Self.reasons)
      json.field("tagOptions", Self.tagOptions)
      json.field("verdicts", Self.verdicts)
      json.field("version", version)
    }

    /// The questions that the values of a policy answer, by policy.
    private static let questions = Setting.policies.reduce(into: [String: String]()) {
      $0[$1.name] = $1.question
    }

    /// The titles of reasons.
    private static let reasons = Reason.Code.Known.allCases.reduce(into: [String: String]()) {
      $0[$1.rawValue] = $1.title
    }

    /// The options of a policy that commands take that change only the tag.
    private static let tagOptions = Setting.policies.filter { $0.takers.contains(.tag) }
      .map { "--\($0.name)" }

    /// The options that carry out what people see: whether the stored image or the tag is right.
    private static let verdicts = [
      "image": ["--on-conflict": Options.ConflictPolicy.resetTag.rawValue],
      "tag": ["--on-conflict": Options.ConflictPolicy.trustTag.rawValue],
    ]

    /// The time from `SOURCE_DATE_EPOCH`, which makes pages reproducible, or the current time.
    private static var now: Date {
      let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
      return epoch.map(Date.init(timeIntervalSince1970:)) ?? Date()
    }
  }

  private struct State: ~Copyable, Sendable {
    var file: StreamedFile
    /// Why the page cannot be written.
    var failure: FileError?
    var rows = 0
    /// Whether the path of a file is absolute.
    var hasAbsolutePaths = false
    /// What the last row had in common with others.
    var shared = AuditRow.Shared()
  }

  /// A file's part of the page.
  struct Row: Sendable {
    fileprivate var beginning: [UInt8]
    fileprivate var shared: AuditRow.Shared
    fileprivate var isAbsolute: Bool
    fileprivate var image: PageImageSource.Image?
  }

  private let path: FilePath
  private let images: PageImageSource
  private let state: Mutex<State>
  private let template = PageTemplate()

  /// Begins a page; one that is there from before is replaced, and no other file.
  init(_ path: FilePath, _ settings: Settings, _ images: PageImages) throws(FileError) {
    let file = try StreamedFile(path, replacing: Array(PageTemplate.signature.utf8))
    let settings = settings.jsonBytes.dropLast().escapingMarkup()
    try file.append(template.opening + settings + Array(",\"files\":[".utf8))
    self.path = path
    self.images = PageImageSource(images)
    state = Mutex(State(file: file))
  }

  /// Makes the row of a file.
  func row(_ report: FileReport, _ entry: SurveyEntry) -> Row {
    let row = AuditRow(report, entry, showsFile: images.showsFiles)
    return Row(
      beginning: row.jsonBytes.dropLast().escapingMarkup(),
      shared: AuditRow.Shared(report),
      isAbsolute: report.path.isAbsolute,
      image: images.image(of: report, row)
    )
  }

  /// Appends rows.
  func append(_ rows: [Row]) {
    state.withLock { state in
      guard state.failure == nil else { return }
      var bytes: [UInt8] = []
      for row in rows {
        bytes += Array((state.rows == 0 ? "\n" : ",\n").utf8) + row.beginning
        if row.shared != state.shared {
          bytes += Array(row.shared.members(after: state.shared).utf8).escapingMarkup()
          state.shared = row.shared
        }
        if let image = row.image, images.take(image) {
          let name = image.isRendered ? "rendition" : "thumbnailImage"
          let text = Data(image.jpeg).base64EncodedString()
          bytes += Array(",\"\(name)\":\"\(text)\"".utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        state.rows += 1
        if row.isAbsolute { state.hasAbsolutePaths = true }
      }
      do throws(FileError) {
        try state.file.append(bytes)
      } catch {
        state.failure = error
      }
    }
  }

  /// Writes the end of the page and renames the temporary file to its path.
  ///
  /// - Throws: ``FileError``; there is no new page then.
  func finish(ignored: String) throws(FileError) {
    try state.withLock { state throws(FileError) in
      if let failure = state.failure { throw failure }
      var links = PageLinks(of: path)
      if !state.hasAbsolutePaths { links.directory = nil }
      let end = "\n],\"ignored\":\(ignored),\"links\":\(links.jsonLine)}"
      try state.file.append(Array(end.utf8) + template.ending)
      try state.file.finish()
    }
  }
}

extension Collection<UInt8> {
  /// Returns JSON in which every `<` is escaped, because it could end the script element.
  fileprivate func escapingMarkup() -> [UInt8] {
    let less = UInt8(ascii: "<")
    guard contains(less) else { return Array(self) }
    return flatMap { $0 == less ? Array("\\u003c".utf8) : [$0] }
  }
}
