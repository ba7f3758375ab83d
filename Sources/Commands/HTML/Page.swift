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
      let audit = try? Rewriter().audit(
        reader,
        of: Set(ImageFormat.allCases),
        ending: reader.path.extension
      )
    else { return (report, entry) }
    var report = report
    report.sharedFacts = Shared(audit.facts)
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
