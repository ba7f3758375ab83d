internal import ArgumentParser
internal import ExifReference
internal import FileBytes
internal import FileSystem
internal import ImageOrientation
internal import JPEGCore
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// `upright inspect`, which shows what a file consists of and which of its bytes a normalization would change.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    _superCommandName: "upright",
    abstract: "Show a file's segments and tags, and every byte that normalize would change.",
    discussion: """

      EXAMPLES:
        upright inspect photo.jpg
        upright inspect --record record.ndjson photo.jpg
        upright inspect --format json photo.jpg
      """
  )

  @Argument(help: "JPEG files to inspect; - reads standard input.", completion: .file())
  var files: [String]

  @Option(help: "Output format: text or json.")
  var format = Format.text

  /// The output formats.
  enum Format: String, NamedValue {
    case text, json
  }

  @Option(
    help: ArgumentHelp(
      "Also show the entries of the file in this record, and whether its original can be restored.",
      valueName: "file"
    )
  )
  var record: String?

  @OptionGroup var policy: PolicyOptions

  @OptionGroup var limit: SizeLimit

  func validate() throws {
    if record != nil, format == .json {
      throw ValidationError("--record requires --format text.")
    }
  }

  func run() throws {
    let console = Console()
    var documents: [String] = []
    var hasFailed = false
    for (index, name) in files.enumerated() {
      let path = name == "-" ? StandardStreams.path : ArgumentPath.path(name)
      do {
        let bytes = try name == "-" ? StandardStreams.readImage(limit.maxBytes) : read(path)
        if format == .text, index > 0 { console.line("") }
        let inspection = try Inspection(path, bytes, Rewriter(options: policy.options))
        if format == .json {
          documents.append(inspection.jsonLine)
        } else {
          try show(inspection, console)
        }
      } catch {
        console.error("\(TextFormat.path(path)): \(UprightError(any: error).advised().text)")
        hasFailed = true
      }
    }
    if format == .json {
      console.line(
        "{\"schema\":\"\(Inspection.schema)\",\"files\":[\n\(documents.joined(separator: ",\n"))\n]}"
      )
    }
    try console.end(hasFailed ? 2 : 0)
  }

  /// Reads a file whole.
  private func read(_ path: FilePath) throws -> [UInt8] {
    do {
      return try FileReader(path).readJPEG(limit)
    } catch let error as FileError where error.problem == .isDirectory {
      throw ValidationError("it is a directory. Name a file, or use upright audit")
    }
  }

  /// Prints a file as text.
  private func show(_ inspection: Inspection, _ console: Console) throws {
    let (path, bytes, outcome) = (inspection.path, inspection.bytes, inspection.outcome)
    printImage(path, outcome.plan, bytes.count, console)
    printSegments(inspection.segments, bytes, console)
    printImages(outcome.plan, console)
    if let exif = inspection.exif { printTags(exif, console) }
    printChanges(path, outcome, bytes, console)
    printUndo(bytes, console)
    if let record { try printRecords(path, ArgumentPath.path(record), bytes, console) }
  }

  private func printImage(_ path: FilePath, _ plan: Plan, _ size: Int, _ console: Console) {
    let image = plan.image
    let orientation = image.orientation.map { "Orientation \($0.rawValue)" } ?? "no Orientation"
    console.line(
      "\(TextFormat.path(path)): \(image.size.width)×\(image.size.height) pixels, "
        + [image.jpeg?.sampling, image.jpeg?.process].compactMap { $0.map { "\($0), " } }.joined()
        + "\(orientation), \(size) bytes"
    )
  }

  private func printSegments(
    _ segments: [Inspection.Segment],
    _ bytes: [UInt8],
    _ console: Console
  ) {
    console.line("\nSegments\n    OFFSET    LENGTH  MARKER  KIND")
    var end = 0
    func row(_ range: Range<Int>, _ marker: String, _ kind: String) {
      if range.lowerBound > end {
        let gap = end..<range.lowerBound
        end = range.lowerBound
        row(gap, "", bytes[gap].allSatisfy { $0 == 0xFF } ? "fill bytes" : "stray bytes")
      }
      console.line(
        TextFormat.right("\(range.lowerBound)", 10) + TextFormat.right("\(range.count)", 10) + "  "
          + TextFormat.column(marker, 8) + kind
      )
      end = range.upperBound
    }
    for segment in segments {
      let kind = segment.kind ?? (segment.marker == nil ? "entropy-coded data" : "")
      row(segment.range, segment.marker ?? "", kind)
    }
    if bytes.count > end { row(end..<bytes.count, "", "bytes after the image") }
  }

  private func printImages(_ plan: Plan, _ console: Console) {
    guard !plan.embeddedImages.isEmpty else { return }
    console.line("\nOther images in the file\n    OFFSET    LENGTH  ROLE        SIZE")
    for image in plan.embeddedImages.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let size = image.width.flatMap { width in image.height.map { "\(width)×\($0)" } } ?? "-"
      let disposition = plan.action.rewrites ? TextFormat.disposition(image.disposition) : ""
      console.line(
        TextFormat.right("\(image.range.lowerBound)", 10)
          + TextFormat.right("\(image.range.count)", 10)
          + "  "
          + TextFormat.column(image.role.rawValue, 12) + TextFormat.column(size, 12) + disposition
      )
    }
  }

  private func printTags(_ exif: ExifReference, _ console: Console) {
    console.line("\nTags, as read by libexif")
    let summary = [
      ("Camera", exif.camera), ("Captured", exif.captured), ("Position", exif.position?.text),
    ]
    for case (let name, let value?) in summary {
      console.line("  \(TextFormat.column(name, 34))\(TextFormat.escaped(value))")
    }
    for tag in exif.tags {
      console.line(
        "  \(TextFormat.column(tag.directory.rawValue, 8))\(TextFormat.column(tag.name, 26))\(tag.text)"
      )
    }
  }

  /// Prints what the undo data in the file restores.
  private func printUndo(_ bytes: [UInt8], _ console: Console) {
    do throws(UprightError) {
      guard let undo = try EmbeddedUndo(bytes) else { return }
      guard undo.isIntact else {
        return console.line(
          "\nUndo data: of no use, because the file was changed after it was rewritten"
        )
      }
      _ = try undo.restoreOriginal(maxPixels: policy.transform.details.pixels.maxPixels)
      console.line("\nUndo data: \(undo.size) bytes, restores the file before the rewrite")
      console.line(
        "    before: \(undo.before.size) bytes, SHA-256 \(undo.before.sha256.hexadecimal)"
      )
    } catch {
      console.line("\nUndo data: error: \(error)")
    }
  }

  private func printRecords(
    _ path: FilePath,
    _ record: FilePath,
    _ bytes: [UInt8],
    _ console: Console
  ) throws {
    let restoration = try FileRestoration(
      lookingIn: RecordIndex(record),
      options: limit.options(maxPixels: policy.transform.details.pixels.maxPixels)
    )
    if let report = restoration.result(of: Walk.Found(path, root: path)) {
      console.line("\nRecord: \(report.text)")
    }
    guard let index = restoration.index else { return }
    let records = try? index.undo(from: Digest(of: bytes), at: restoration.place(of: path)) {
      PlaceContent(of: $0, beside: path)
    }
    for entry in records ?? [] {
      guard let record = try index.record(entry) else { continue }
      let operation = record.operation
      console.line("  line \(entry.line): \(record.date), \(record.tool), \(operation)")
      console.line("    before: \(record.before.size) bytes, SHA-256 \(entry.before.hexadecimal)")
      console.line("    after:  \(record.after.size) bytes, SHA-256 \(entry.after.hexadecimal)")
    }
  }

  private func printChanges(
    _ path: FilePath,
    _ outcome: Outcome,
    _ bytes: [UInt8],
    _ console: Console
  ) {
    let report = FileReport(path: path, result: .planned(Shared(outcome.plan))).advised()
    console.line("\nNormalization: \(report.text)")
    for note in report.plan?.notes ?? [] {
      console.line("  note: \(TextFormat.escaped(note.text))")
    }
    guard let rewrite = outcome.rewrite else { return }
    console.line("    OFFSET     BYTES  FIELD")
    for change in rewrite.changes {
      let count = change.range.count
      let size =
        count == change.replacement.count ? "\(count)" : "\(count)→\(change.replacement.count)"
      console.line(
        TextFormat.right("\(change.range.lowerBound)", 10) + TextFormat.right(size, 10) + "  "
          + TextFormat.column(change.field.rawValue, 46) + Self.values(change, bytes)
      )
    }
    console.line("  \(bytes.count) → \(rewrite.bytes.count) bytes; every other byte is copied")
  }

  /// Returns the old and new value as text, and as bytes where there are few.
  private static func values(_ change: Change, _ bytes: [UInt8]) -> String {
    let words = TextFormat.escaped(
      change.old.isEmpty ? change.new : "\(change.old) → \(change.new)"
    )
    guard change.range.count <= 8, change.replacement.count <= 8 else { return words }
    let old = bytes[change.range].hexadecimal(uppercase: true, separator: " ")
    let new = change.replacement.hexadecimal(uppercase: true, separator: " ")
    return (words.isEmpty ? "" : words + "  ") + "[\(old) → \(new)]"
  }
}

extension Record {
  /// The transform and how it was made, or the kind of the rewrite.
  fileprivate var operation: String {
    guard let transform else { return action.rawValue }
    return
      "\(transform), \(trimmed != nil ? "trimmed" : reencoded != nil ? "re-encoded" : "lossless")"
  }
}
