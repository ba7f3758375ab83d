internal import ImageOrientation
internal import JPEGCore

/// Builds the undo record of a rewrite and proves it by restoring the original from the result.
struct UndoBuilder {
  let original: [UInt8]
  let result: [UInt8]
  let edits: [EditOutline]
  /// The images whose scans were encoded again, those in the segments of others first.
  let images: [TransformedImage]

  /// Returns the record, or nil if it does not restore the original.
  ///
  /// - Throws: ``UprightError`` if the result cannot be read.
  func record() throws(UprightError) -> UndoRecord? {
    guard images.allSatisfy({ $0.raster.isWhole }) else { return nil }
    let exceptionBytes = images.reduce(0) { $0 + ($1.exceptions?.serialized.count ?? 0) }
    guard exceptionBytes <= UndoRecord.maxExceptionBytes(ofOriginal: original.count) else {
      return nil
    }
    let delta = Delta(edits, original, result)
    guard var file = delta.skeleton(of: result) else { return nil }
    var empty = edits.filter { $0.content == .entropyCodedData }.map { $0.range }
    var undos: [ImageUndo] = []
    for source in images {
      let start = source.raster.start
      let missing = empty.filter { $0.upperBound <= start }.reduce(0) { $0 + $1.count }
      var undo = ImageUndo(
        resultStart: edits.position(of: start),
        skeletonStart: start - missing,
        transform: source.raster.transform,
        info: source.info.isDefault ? nil : source.info
      )
      undo.exceptions = source.exceptions
      let image = try undo.coefficients(result, file)
      guard let data = try recode(&undo, image, source, file) else { return nil }
      file = data.applied(to: file)
      let filled = Set(source.raster.container.scans.map { $0.data })
      empty.removeAll { filled.contains($0) }
      undos.append(undo)
    }
    // The proof: all bytes are compared.
    guard file.equals(original, in: original.indices), undos.count <= UndoRecord.maxImages else {
      return nil
    }
    let record = UndoRecord(delta: delta, images: undos, resultSize: result.count)
    guard record.serialized.count <= UndoRecord.maxBytes(forResultOf: result.count),
      (try? UndoRecord(serialized: record.serialized)) == record
    else { return nil }
    return record
  }

  /// Codes the original's scans again and stores the differences as patches.
  private func recode(
    _ undo: inout ImageUndo,
    _ image: ImageUndo.Coefficients,
    _ source: TransformedImage,
    _ skeleton: [UInt8]
  ) throws(UprightError) -> [Edit]? {
    let scans = source.raster.container.scans
    var edits = try undo.recoding(image, skeleton)
    guard edits.count == scans.count else { return nil }
    for (number, scan) in scans.enumerated()
    where !edits[number].replacement.equals(original, in: scan.data) {
      guard
        let patch = ImageUndo.Patch(from: edits[number].replacement, to: original[scan.data]),
        let patched = patch.applied(to: edits[number].replacement)
      else { return nil }
      undo.patches[number] = patch
      edits[number].replacement = patched
    }
    return edits
  }
}
