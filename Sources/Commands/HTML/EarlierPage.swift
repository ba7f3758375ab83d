internal import FileSystem
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The page of an earlier run with the same record, whose rows the page of this run has before its own.
struct EarlierPage: ~Copyable {
  /// What was requested, as the page has it.
  private struct Beginning: Decodable {
    var command: String
    var created: String
    var earlierRuns: [Page.Settings.Run]?
    var record: String?
    var request: String
  }

  private struct End: Decodable {
    var links: PageLinks
  }

  /// The runs that the page shows.
  let runs: [Page.Settings.Run]
  let links: PageLinks
  /// The status of the file whose rows are copied.
  let identity: FileIdentity
  private let file: FileReader
  private let rows: Range<Int>

  /// How many bytes are read for the object around the rows.
  private static let maxFields = 1 << 20

  /// Opens the page of a run; nil if it is of another request or record, of another working directory, to which its paths are
  /// relative, or of another version, whose rows could be different.
  init?(_ path: FilePath, continuedBy settings: Page.Settings) {
    let template = PageTemplate(settings.kind)
    let newline = UInt8(ascii: "\n")
    guard let record = settings.record, let file = try? FileReader(path),
      let start = try? file.read(at: 0, count: template.opening.count + Self.maxFields),
      start.starts(with: template.opening)
    else { return nil }
    let size = file.identity.size
    let tail = max(template.opening.count, size - template.ending.count - Self.maxFields)
    let fields = start[template.opening.count...].prefix { $0 != newline }
    let rowsOpening = Array(Page.rowsOpening.utf8)
    guard fields.count > rowsOpening.count,
      fields.suffix(rowsOpening.count).elementsEqual(rowsOpening),
      let end = try? file.read(at: tail, count: size - tail),
      end.suffix(template.ending.count).elementsEqual(template.ending),
      // No row has a line end, but there is one before the last line.
      let last = end.dropLast(template.ending.count).lastIndex(of: newline)
    else { return nil }
    let closing = end[last...].dropLast(template.ending.count).dropFirst("\n],".utf8.count)
    let decoder = JSONDecoder()
    guard
      let beginning = try? decoder.decode(
        Beginning.self,
        from: Data(fields.dropLast(rowsOpening.count) + "}".utf8)
      ),
      let links = try? decoder.decode(End.self, from: Data("{".utf8 + closing)).links,
      beginning.request == settings.request, beginning.record == record,
      links.working == PageLinks(of: path).working
    else { return nil }
    runs =
      (beginning.earlierRuns ?? [])
      + [.init(command: beginning.command, created: beginning.created)]
    identity = file.identity
    rows = fields.endIndex..<(tail + last)
    self.links = links
    self.file = file
  }

  /// Appends the rows to the page of this run, and returns their number.
  ///
  /// - Throws: ``FileError``.
  func append(to page: borrowing StreamedFile) throws(FileError) -> Int {
    var count = 0
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: 1 << 20) {
      let piece = try file.read(at: start, count: min(1 << 20, rows.upperBound - start))
      count += piece.count { $0 == UInt8(ascii: "\n") }
      try page.append(piece)
    }
    return count
  }
}
