internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// The options for files that say what was done: a report of several runs, and a page.
struct ReportOptions: DeclaredOptions {
  var report: String?
  var html: String?
  var htmlImages: PageImages?

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &report,
      "report",
      help: ArgumentHelp(
        """
        Append the report of each file to this file, .csv or .ndjson; with the same journal, a run that was interrupted \
        and continued has a line on every file.
        """,
        valueName: "file"
      ),
      completion: .file()
    )
    try visitor.page(
      &html,
      &htmlImages,
      help: """
        Also write a page for a browser to this file. It shows each photo before and after, how its result was checked, \
        what was skipped and why, and the command that undoes it. If the file is the page of an earlier run with the same \
        record, its photos stay on the page; that of another run is kept, and the page gets the next name, such as \
        report-2.html.
        """,
      rendered: "have no thumbnail or were skipped"
    )
  }

  func validate() throws {
    if let report, ReportFile.format(of: ArgumentPath.path(report)) == nil {
      throw ValidationError("--report requires a file name that ends with .csv or .ndjson.")
    }
    try Page.check(html, htmlImages, example: "report.html")
  }

  /// Checks whether there is something to report.
  func check(isDry: Bool) throws {
    if isDry, html != nil {
      throw ValidationError(
        "--html shows what was done, so it cannot be combined with --dry-run. --format csv lists what would be done, and "
          + "upright audit --html shows what normalize would do."
      )
    }
  }

  /// Opens the page, if the option is given.
  ///
  /// The page of an earlier run shows what was done then and cannot be made again: it gets the files of this run as well if it is
  /// of the same record, and another keeps its name.
  func page(_ settings: @autoclosure () -> Page.Settings) throws(FileError) -> Page? {
    guard let html else { return nil }
    let given = ArgumentPath.path(html)
    let images = htmlImages ?? .all
    var settings = settings()
    var (path, number) = (given, 2)
    while Page.isReport(path), let stem = given.stem {
      if let earlier = EarlierPage(path, continuedBy: settings) {
        return try Page(path, settings, images, instead: given, continuing: earlier)
      }
      settings.earlier = path.lastComponent.map { .init(name: $0) }
      let ending = given.extension.map { ".\($0)" } ?? ""
      path = given.removingLastComponent().appending("\(stem)-\(number)\(ending)")
      number += 1
    }
    return try Page(path, settings, images, instead: given)
  }

  /// Opens the file of reports, if the option is given.
  func opened() throws(FileError) -> ReportFile? {
    guard let report else { return nil }
    let path = ArgumentPath.path(report)
    return try ReportFile.format(of: path).map { (format) throws(FileError) in
      try ReportFile(path, format)
    }
  }
}

extension OptionVisitor {
  /// Visits the options for a page: its file, and its images, with the files that get small renditions.
  mutating func page(
    _ html: inout String?,
    _ images: inout PageImages?,
    help: String,
    rendered: String
  ) throws {
    try option(
      &html,
      "html",
      help: ArgumentHelp("\(help)", valueName: "file"),
      completion: .file(extensions: ["html"])
    )
    try option(
      &images,
      "html-images",
      help: ArgumentHelp(
        """
        Images to show in the page of --html. None; embedded thumbnails; or, by default, also small renditions of files \
        that \(rendered), within 10 seconds of work and 5 MiB.
        """,
        valueName: "images"
      )
    )
  }
}

extension Page {
  /// Checks the options for a page.
  static func check(_ name: String?, _ images: PageImages?, example: String) throws {
    if name == "-" { throw ValidationError("--html requires a file name.") }
    if let name, let last = ArgumentPath.path(name).lastComponent,
      NameRule().verdict(last.bytes) == .taken
    {
      throw ValidationError(
        "--html names the page to write, such as \(example); \(name) is a photo."
      )
    }
    if images != nil, name == nil { throw ValidationError("--html-images requires --html.") }
  }

  /// Opens a page, if there is a name.
  static func opened(
    _ name: String?,
    _ settings: @autoclosure () -> Settings,
    _ images: PageImages?
  ) throws(FileError) -> Page? {
    guard let name else { return nil }
    return try Page(ArgumentPath.path(name), settings(), images ?? .all)
  }
}

extension Request {
  /// The name of the command that requests it.
  var command: String {
    switch kind {
    case .normalize(.none), .stored: "normalize"
    case .normalize(let transform), .tag(.transform(let transform), _):
      transform.mirrors ? "flip" : "rotate"
    case .crop: "crop"
    case .tag: "tag"
    }
  }
}
