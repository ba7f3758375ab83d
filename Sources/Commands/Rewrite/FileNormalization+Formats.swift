internal import FileSystem
internal import ImageFormats
internal import SystemPackage
internal import Upright

/// Files of formats other than JPEG.
extension FileNormalization {
  /// Plans from a file's header, and reads no more of the file than needed.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, also if the file is of a format that is not processed.
  func plan(_ file: Walk.Found, _ reader: borrowing FileReader) throws -> PlannedPhoto {
    let beginning = try reader.read(at: 0, count: ImageFacts.smallRead)
    if let format = ImageFormat(beginning: beginning.span), format != .jpeg,
      let plan = try plan(file, reader, beginning, as: format)
    {
      return PlannedPhoto(content: .other, plan: plan)
    }
    // Of a format that is not taken, this throws the error that names it.
    let planned = try operation.plan(reader, beginning)
    guard formats.contains(.jpeg) || file.isNamed else {
      throw UprightError(.notJPEG, "the format is JPEG, which was not requested")
    }
    return planned
  }

  /// Plans for a file of a format other than JPEG; nil if files of its format are not taken.
  private func plan(
    _ file: Walk.Found,
    _ reader: borrowing FileReader,
    _ beginning: [UInt8],
    as format: ImageFormat
  ) throws -> Plan? {
    guard let editor = operation.orientationEditor, file.isNamed || formats.hasOthers else {
      return nil
    }
    func takes(_ format: ImageFormat) -> Bool {
      formats.contains(format) || file.isNamed && editor.formats.contains(format)
    }
    // Only the directory of a DNG file distinguishes it from TIFF.
    guard takes(format) || format == .tiff && takes(.dng) else { return nil }
    do throws(ReadingError<any Error>) {
      let found = try editor.plan(beginning, size: reader.identity.size) { offset, count throws in
        try reader.read(at: offset, count: count)
      }
      guard let found, takes(found.format) else { return nil }
      return found.plan
    } catch { throw error.underlying }
  }

  /// Says that a sidecar is not changed together with an image of another format.
  func mentioningSidecar(of photo: Walk.Found, _ report: FileReport) -> FileReport {
    guard sidecars != .ignore, photo.mayHaveSidecar, report.plan?.action.rewrites == true,
      let sidecar = try? SidecarFile.path(beside: photo.path)
    else { return report }
    var report = report
    report.sidecar = "only sidecars of JPEG files are updated, not \(TextFormat.path(sidecar))"
    return report
  }

  func mayTake(_ path: FilePath) -> Bool {
    formats.hasOthers ? formats.mayContain(path) : FileReader.mayBeJPEG(at: path)
  }
}

extension FileOperation {
  /// The operation on files of formats other than JPEG; nil if there is none.
  var orientationEditor: OrientationEditor? {
    switch self {
    case .normalize(let normalizer): normalizer.isCropping ? nil : OrientationEditor(normalizer)
    case .tag(let editor): OrientationEditor(editor)
    case .stored: nil
    }
  }
}
