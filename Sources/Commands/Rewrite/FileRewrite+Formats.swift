internal import FileSystem
internal import ImageFormats
internal import SystemPackage
internal import Upright

/// Files of formats other than JPEG.
extension FileRewrite {
  /// Opens a file and plans for it, and reads no more of it than needed.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, also if the file is of a format that is not processed.
  func plan(_ file: Walk.Found, _ reader: borrowing FileReader) throws -> PlannedPhoto {
    let request = rewriter.request
    do throws(ReadingError<any Error>) {
      return try rewriter.planned(
        size: reader.identity.size,
        taking: request.taken(of: formats.formats, isNamed: file.isNamed),
        ending: file.path.extension
      ) { offset, count throws in try reader.read(at: offset, count: count) }
    } catch { throw error.underlying }
  }

  /// Says that a sidecar is not changed together with an image of a format for which its kind is not updated.
  func mentionSidecars(
    beside places: [Walk.Found],
    _ format: ImageFormat,
    _ report: inout FileReport
  ) {
    let others = Set(SidecarFile.Kind.allCases).subtracting(format.sidecars)
    guard sidecars != .ignore, report.plan?.action.rewrites == true else { return }
    for sidecar in (try? SidecarFile.existing(beside: places, others)) ?? [] {
      let kind = SidecarFile.Kind(of: sidecar) == .xmp ? "sidecars" : "world files"
      report.addSidecar(
        "\(kind) of \(format.name) files are not updated, so \(TextFormat.path(sidecar)) is not"
      )
    }
  }

  func mayTake(_ path: FilePath) -> Bool {
    formats.hasOthers ? formats.mayContain(path) : FileReader.mayBeJPEG(at: path)
  }
}
