internal import Conversion
internal import FileSystem
internal import ISOBMFF
internal import SystemPackage
internal import Upright

#if HEIF
internal import HEIFDecoder
#endif

/// Converts one file: reads it, decodes it and writes the result.
struct FileConversion: FileWork {
  var converter: Converter
  var maxPixels: Int
  /// The maximum duration of decoding a file.
  var timeLimit: Duration
  /// The maximum size of a file.
  var limit: SizeLimit
  var dryRun: Bool
  /// How output files are created.
  var creation: AtomicCreation
  var destinations: Destinations

  /// Whether this build can convert.
  static var isAvailable: Bool {
    #if HEIF
    true
    #else
    false
    #endif
  }

  /// Returns why nothing can be converted and what to do about it, or nil if libheif can be used.
  ///
  /// Loads libheif.
  static var problem: String? {
    #if HEIF
    HEIFLibrary.problem.map { "\($0). On Debian and Ubuntu, install libheif1." }
    #else
    ConvertCommand.howToEnable
    #endif
  }

  func mayTake(_ path: FilePath) -> Bool {
    guard let reader = try? FileReader(path),
      let beginning = try? reader.read(at: 0, count: 256)
    else { return false }
    return MediaFile.isHEIF(beginning.span)
  }

  func report(_ file: Walk.Found) throws -> FileReport? {
    guard let destination = try destinations.destination(of: file) else { return nil }
    return try convert(file.path, to: destination)
  }

  private func convert(_ path: FilePath, to target: Destination) throws -> FileReport {
    let reader = try FileReader(path)
    let beginning = try reader.read(at: 0, count: 256)
    guard MediaFile.isHEIF(beginning.span) else { throw UprightError.notHEIFFile }
    // Checked first, because decoding can take a second.
    if case .file(let output) = target { try creation.check(output, reader.identity) }
    try limit.check(reader.identity.size)
    let image = try decoded(reader)
    try reader.checkUnchanged()
    let outcome = try converter.convert(image)
    var report = FileReport(
      path: path,
      result: .conversion(.init(outcome: outcome, isDry: dryRun))
    )
    guard !dryRun, case .converted(let image) = outcome else { return report }
    switch target {
    case .file(let output):
      let lost = try creation.create(output, like: try reader.rights(), with: image.bytes)
      report.warnings = lost.map { "\($0.text) could not be preserved" }
      report.output = output
    case .standardOutput: try StandardStreams.write(image.bytes)
    case .inPlace: break
    }
    return report
  }

  /// Decodes a file in a process of its own: a stranger's file may crash a decoder, or occupy it.
  private func decoded(_ reader: borrowing FileReader) throws -> DecodedImage {
    let end: ChildProcess.End
    do throws(ChildProcess.Failure) {
      end = try ChildProcess.run(
        [
          DecodeCommand.name,
          "--max-pixels", String(maxPixels),
          "--max-bytes", String(limit.maxBytes),
          "--time-limit", String(timeLimit.components.seconds),
        ],
        input: reader,
        // Three planes at most.
        maxOutput: 3 * min(maxPixels, 1 << 40) + DecoderMessage.maxOverhead,
        timeLimit: timeLimit
      )
    } catch { throw Self.error(error, reader.path, timeLimit) }
    guard let image = try DecoderMessage.image(of: end.output, maxPixels: maxPixels) else {
      let cause = end.signal.map { "by signal \($0)" } ?? "with status \(end.status)"
      throw UprightError(
        .decoderFailed,
        "the process that decodes the image was ended \(cause). The file is damaged, or the decoder has a defect."
      )
    }
    return image
  }

  private static func error(
    _ failure: ChildProcess.Failure,
    _ path: FilePath,
    _ timeLimit: Duration
  ) -> any Error {
    switch failure {
    case .timeLimit:
      UprightError(
        .timeLimit,
        "decoding took longer than \(timeLimit.components.seconds) s (--time-limit)"
      )
    case .tooMuchOutput: UprightError(.decoderFailed, "the decoder returned too many bytes")
    case .interrupted: FileError.interrupted(path)
    case .system(let errno):
      UprightError(.decoderFailed, "the process that decodes the image cannot be started: \(errno)")
    }
  }
}

extension UprightError.Code {
  /// The process that decodes an image ended without a result.
  static let decoderFailed = UprightError.Code(rawValue: "decoder-failed")
}
