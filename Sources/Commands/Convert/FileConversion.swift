internal import Conversion
internal import FileSystem
internal import HEIFDecoder
internal import ImageFormats
internal import PhotoFiles
internal import SystemPackage
internal import Upright

/// Converts one file: reads it, decodes it and writes the result.
struct FileConversion: FileWork {
  var converter: Converter
  var decoder: IsolatedDecoder
  /// The maximum size of a file.
  var limit: SizeLimit
  var dryRun: Bool
  /// How output files are created.
  var creation: AtomicCreation
  var destinations: Destinations

  /// Returns why nothing can be converted and what to do about it, or nil if libheif can be used.
  ///
  /// Loads libheif.
  static var problem: String? {
    HEIFLibrary.problem.map {
      "convert uses libheif, which cannot be loaded: \($0). On Debian and Ubuntu, install libheif1."
    }
  }

  var writes: Bool { !dryRun }

  func task(of file: Walk.Found) -> String? { "convert" }

  func mayTake(_ path: FilePath) -> Bool {
    // The work on a file that cannot be read reports why.
    guard let reader = try? FileReader(path),
      let beginning = try? reader.read(at: 0, count: 256)
    else { return true }
    return ImageFormat(beginning: beginning.span)?.isHEIF == true
  }

  func report(_ file: Walk.Found) throws -> FileReport? {
    guard let destination = try destinations.destination(of: file) else { return nil }
    return try convert(file.path, to: destination)
  }

  private func convert(_ path: FilePath, to target: Destination) throws -> FileReport {
    let reader = try FileReader(path)
    let beginning = try reader.read(at: 0, count: 256)
    guard ImageFormat(beginning: beginning.span)?.isHEIF == true else {
      throw UprightError.notHEIFFile
    }
    // Checked first, because decoding can take a second.
    if case .file(let output) = target { try creation.check(output, reader.identity, of: path) }
    try limit.check(reader.identity.size)
    // A copy, which no other program changes while it is decoded.
    let image = try decoder.decode(FileReader(reader.readAll(), named: path))
    let outcome = try converter.convert(image)
    var report = FileReport(
      path: path,
      result: .conversion(.init(outcome: outcome, isDry: dryRun))
    )
    guard !dryRun, case .converted(let image) = outcome else { return report }
    switch target {
    case .file(let output):
      report.lost = try creation.create(output, like: try reader.rights(), with: image.bytes)
      report.output = output
    case .standardOutput: try StandardStreams.write(image.bytes)
    case .inPlace: break
    }
    return report
  }
}
