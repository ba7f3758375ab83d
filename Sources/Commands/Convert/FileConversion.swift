internal import Archive
internal import Conversion
internal import SystemPackage
internal import Upright

#if HEIF
internal import HEIFDecoder
#endif

/// Converts one file: from the file system through the decoder to the file system.
struct FileConversion: Sendable {
  var converter: Converter
  var maxPixels: Int
  /// How large a file may be.
  var limit: SizeLimit
  var dryRun: Bool
  /// How outputs are made.
  var creation: AtomicCreation

  /// Whether this build can convert.
  static var isAvailable: Bool {
    #if HEIF
    true
    #else
    false
    #endif
  }

  /// Converts a file and says what became of it, whatever happens.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - target: Finds out where the result goes; nil where the run has put it there already.
  /// - Returns: The report; nil where the run has met the file before.
  func report(_ path: FilePath, to target: () throws -> ConversionTarget?) -> FileReport? {
    do {
      guard let target = try target() else { return nil }
      return try convert(path, to: target)
    } catch {
      return FileReport(path: path, result: .failed(.init(any: error)))
    }
  }

  private func convert(_ path: FilePath, to target: ConversionTarget) throws -> FileReport {
    let reader = try FileReader(path)
    guard HEIFStructure.isHEIF(try reader.read(at: 0, count: 256)) else {
      throw UprightError.notHEIFFile
    }
    // Before a second is spent on decoding.
    if case .file(let output) = target { try creation.check(output, reader.identity) }
    let outcome = try outcome(try reader.readAll(limit))
    var report = FileReport(
      path: path,
      result: .conversion(.init(outcome: outcome, isDry: dryRun))
    )
    guard !dryRun, case .converted(let picture) = outcome else { return report }
    switch target {
    case .file(let output):
      let lost = try creation.create(output, like: try reader.rights(), with: picture.bytes)
      report.warnings = lost.map { "\($0.text) could not be kept" }
      report.output = output
    case .standardOutput: try StandardStreams.write(picture.bytes)
    }
    return report
  }

  private func outcome(_ file: [UInt8]) throws(UprightError) -> ConversionOutcome {
    #if HEIF
    var decoder = HEIFDecoder()
    decoder.maxPixels = maxPixels
    return try converter.convert(try decoder.decode(file))
    #else
    throw UprightError(.unsupported, ConvertCommand.howToEnable)
    #endif
  }
}

/// Where a converted file goes.
enum ConversionTarget: Sendable {
  case file(FilePath)
  case standardOutput
}
