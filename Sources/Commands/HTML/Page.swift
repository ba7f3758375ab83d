internal import FileSystem
internal import ImageFormats
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

/// One page of HTML that shows what would be or was done with many files, complete in itself; written while the work goes on.
///
/// Nothing is kept of a file once its row is written. The page draws itself from the rows.
final class Page: Sendable {
  /// What a page shows.
  enum Kind: String, Sendable {
    /// What would be done.
    case audit
    /// What was done.
    case report
  }

  /// How the work was requested.
  struct Settings: JSONObject {
    var kind: Kind
    var version = Version.current
    /// The time in UTC, as in `2024-05-06T07:08:09Z`.
    var created = Self.now.ISO8601Format()
    /// The command, quoted for a shell.
    var command = TextFormat.commandLine(["upright"] + ArgumentPath.arguments)
    /// The name of the command, such as `normalize`.
    var request: String
    /// The policies by the names of their options.
    let policies: [String: String]
    /// The options of the command that decides about files that the page shows.
    let nonDefault: [String: String]
    /// The record, quoted for a shell; nil if there is none.
    var record: String?
    /// How what was done is undone; nil on the page of an audit.
    var undo: Undo?
    /// A page of earlier runs, in the same directory, which this page does not have the files of.
    var earlier: Earlier?
    /// The earlier runs whose files the page shows, too.
    var earlierRuns: [Run] = []

    /// How results become originals again.
    struct Undo: JSONObject {
      var text: String
      /// The command, quoted for a shell; nil if none is needed, or none can.
      var command: String?

      func writeFields(to json: inout JSONWriter) {
        json.field("command", command)
        json.field("text", text)
      }
    }

    /// The page of another run.
    struct Earlier: JSONObject {
      var name: FilePath.Component

      func writeFields(to json: inout JSONWriter) {
        let path = FilePath(root: nil, [name])
        json.field("link", "./" + PageLinks.encoded(path))
        json.field("name", TextFormat.path(path))
      }
    }

    /// A run of the same request.
    struct Run: JSONObject, Decodable {
      var command: String
      var created: String

      func writeFields(to json: inout JSONWriter) {
        json.field("command", command)
        json.field("created", created)
      }
    }

    /// Whether the page may show files themselves.
    var showsFiles = true

    init(_ kind: Kind, of request: String, _ options: Options) {
      (self.kind, self.request) = (kind, request)
      policies = Self.named(options)
      nonDefault = Self.nonDefault(options)
    }

    /// Whether the files that are skipped can be decided about with `upright normalize`.
    var decides: Bool { kind == .audit || request == "normalize" }

    func writeFields(to json: inout JSONWriter) {
      json.field("command", command)
      json.field("created", created)
      json.field("earlierPage", earlier)
      json.field("earlierRuns", earlierRuns)
      json.field("kind", kind.rawValue)
      json.field("nonDefault", nonDefault)
      json.field("otherFormats", Self.otherFormats)
      json.field("policies", policies)
      json.field("questions", Self.questions)
      json.field("reasons", Self.reasons)
      json.field("record", record)
      json.field("request", request)
      json.field("showsFiles", showsFiles)
      json.field("tagOptions", Self.tagOptions)
      json.field("undo", undo)
      json.field("verdicts", Self.verdicts)
      json.field("version", version)
    }

    /// The names of the formats whose files the large view does not show.
    private static let otherFormats = ImageFormat.allCases.filter { $0 != .jpeg }.map(\.name)

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

    /// Returns the policies that differ from the defaults, by the names of their options.
    private static func nonDefault(_ options: Options) -> [String: String] {
      let defaults = named(Options())
      return named(options).filter { $0.value != defaults[$0.key] }
    }

    /// Returns the policies by the names of their options.
    private static func named(_ options: Options) -> [String: String] {
      let call = CallOptions(options)
      return Setting.policies.reduce(into: [:]) { named, policy in
        named["--\(policy.name)"] = policy.value(in: call)
      }
    }

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
    /// The number of rows of earlier runs.
    var copied = 0
    /// What the last row had in common with others; nil if that is not known.
    var shared: PageRow.Shared? = PageRow.Shared()
  }

  /// A file's part of the page.
  struct Row: Sendable {
    fileprivate var beginning: [UInt8]
    fileprivate var shared: PageRow.Shared
    fileprivate var isAbsolute: Bool
    fileprivate var image: PageImageSource.Image?
  }

  /// What is before the rows, on the line of the settings.
  static let rowsOpening = ",\"files\":["

  private let path: FilePath
  /// The status of the page that this one replaces with its files, or nil.
  private let earlier: FileIdentity?
  /// The path that was given, if the page has another.
  private let given: FilePath?
  private let settings: Settings
  private let images: PageImageSource
  private let state: Mutex<State>
  private let template: PageTemplate

  /// Begins a page; that of an audit that is there from before is replaced, and no other file.
  ///
  /// - Parameters:
  ///   - path: Where it is written.
  ///   - settings: How the work was requested.
  ///   - images: Which images it shows.
  ///   - given: The path that was given.
  ///   - earlier: The page of earlier runs that this one replaces, and whose files it shows, too.
  /// - Throws: ``FileError``, if there is another file.
  init(
    _ path: FilePath,
    _ settings: Settings,
    _ images: PageImages,
    instead given: FilePath? = nil,
    continuing earlier: consuming EarlierPage? = nil
  ) throws(FileError) {
    var settings = settings
    settings.showsFiles = images != .none
    self.earlier = earlier?.identity
    settings.earlierRuns = earlier?.runs ?? []
    let template = PageTemplate(settings.kind)
    let file = try StreamedFile(path, replacing: Array(template.signature.utf8))
    let fields = settings.jsonBytes.dropLast().escapingMarkup()
    try file.append(template.opening + fields + Array(Self.rowsOpening.utf8))
    let copied = try earlier?.append(to: file) ?? 0
    let hasAbsolutePaths = earlier?.links.directory != nil
    self.path = path
    self.given = given == path ? nil : given
    self.settings = settings
    self.template = template
    self.images = PageImageSource(images)
    state = Mutex(
      State(
        file: file,
        rows: copied,
        hasAbsolutePaths: hasAbsolutePaths,
        copied: copied,
        shared: copied == 0 ? PageRow.Shared() : nil
      )
    )
  }

  /// Whether a file is the page of a run.
  static func isReport(_ path: FilePath) -> Bool {
    let signature = Array(PageTemplate.signature(of: .report).utf8)
    guard let reader = try? FileReader(path) else { return false }
    return (try? reader.read(at: 0, count: signature.count)) == signature
  }

  /// Where the page is, if that is not the path that was given.
  var place: String? {
    given.map {
      "\(TextFormat.path(path)): the page of this run; \(TextFormat.path($0)) is that of another"
    }
  }

  /// Whether the page is also written if a signal ends the run: what was done, is done.
  var isWrittenWhenInterrupted: Bool { settings.kind == .report }

  /// Makes the row of a file.
  func row(_ report: FileReport, _ entry: SurveyEntry) -> Row {
    let (report, entry) = examined(report, entry)
    let row = PageRow(report, entry, settings)
    return Row(
      beginning: row.jsonBytes.dropLast().escapingMarkup(),
      shared: PageRow.Shared(report),
      isAbsolute: report.path.isAbsolute,
      image: images.image(of: report, row)
    )
  }

  /// Adds what a file contains that was processed, as an audit finds it.
  private func examined(
    _ report: FileReport,
    _ entry: SurveyEntry
  ) -> (FileReport, SurveyEntry) {
    guard settings.kind == .report, report.facts == nil, entry.kind != .failed,
      let reader = try? FileReader(report.output ?? report.path),
      let audit = try? Rewriter().audit(reader, .everything, of: Set(ImageFormat.allCases))
    else { return (report, entry) }
    var report = report
    report.facts = audit.facts
    return (report, SurveyEntry(report))
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
  func finish(_ tally: Tally, isInterrupted: Bool) throws(FileError) {
    try state.withLock { state throws(FileError) in
      if let failure = state.failure { throw failure }
      var links = PageLinks(of: path)
      if !state.hasAbsolutePaths { links.directory = nil }
      let end = """

        ],"copied":\(state.copied),"earlier":\(tally.earlier),"ignored":\(JSONSummary.ignored(tally)),"interrupted":\(isInterrupted),\
        "links":\(links.jsonLine)}
        """
      try state.file.append(Array(end.utf8) + template.ending)
      // Another run may have added its files meanwhile.
      if let earlier, let now = try? FileIdentity(of: path), !now.isSameVersion(as: earlier) {
        throw .changed(path)
      }
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
