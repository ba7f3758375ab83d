internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// Builds the undo record of a rewrite and proves it by restoring the original from the result.
struct UndoBuilder {
  let original: [UInt8]
  let result: [UInt8]
  /// The structure of the result's primary image, if it was read.
  let resultContainer: Container?
  /// The changes, in file order.
  let changes: [Change]
  /// The images whose scans were encoded again, those in the segments of others first.
  let images: [TransformedImage]

  /// Returns the record, or nil if it does not restore the original.
  func record() throws(UprightError) -> UndoRecord? {
    guard images.count <= UndoRecord.maxImages, images.allSatisfy({ $0.raster.isWhole }) else {
      return nil
    }
    let exceptionBytes = images.reduce(0) { $0 + ($1.exceptions?.serialized.count ?? 0) }
    guard exceptionBytes <= UndoRecord.maxExceptionBytes(ofOriginal: original.count) else {
      return nil
    }
    let delta = Delta(changes, original)
    guard var file = delta.skeleton(of: result) else { return nil }
    var empty = changes.filter { $0.content == .entropyCodedData }.map { $0.range }
    var undos: [ImageUndo] = []
    for (number, source) in images.enumerated() {
      let start = source.raster.start
      let missing = empty.filter { $0.upperBound <= start }.reduce(0) { $0 + $1.count }
      var undo = ImageUndo(
        resultStart: changes.positionInResult(of: start),
        skeletonStart: start - missing,
        transform: source.raster.transform,
        info: source.info.isDefault ? nil : source.info
      )
      undo.exceptions = source.exceptions
      let known = undo.resultStart == 0 ? resultContainer : nil
      let shown = try ImageDecoding(ofImageAt: undo.resultStart, result, known)
      var data = try undo.recoding(shown, file)
      guard patch(&data, &undo, source.raster.container.scans) else { return nil }
      undos.append(undo)
      // The proof: all bytes are compared. The last image completes the file, which is not copied for that.
      if number == images.count - 1 {
        guard data.give(original, from: file) else { return nil }
        return record(delta, undos)
      }
      file = data.applied(to: file)
      let filled = Set(source.raster.container.scans.map { $0.data })
      empty.removeAll { filled.contains($0) }
    }
    guard file.equals(original, in: original.indices) else { return nil }
    return record(delta, undos)
  }

  /// Returns the record of a result that differs from another only in bytes that the delta removes.
  func record(like other: UndoRecord, of result: [UInt8]) -> UndoRecord? {
    let delta = Delta(changes, original)
    guard delta.skeleton(of: self.result) == other.delta.skeleton(of: result) else { return nil }
    var undos = other.images
    for (index, image) in images.enumerated() {
      undos[index].resultStart = changes.positionInResult(of: image.raster.start)
    }
    return record(delta, undos)
  }

  /// Returns the record, or nil if it is too large or cannot be read again.
  private func record(_ delta: Delta, _ undos: [ImageUndo]) -> UndoRecord? {
    let record = UndoRecord(delta: delta, images: undos, resultSize: result.count)
    let serialized = record.serialized
    guard serialized.count <= UndoRecord.maxBytes(forResultOf: result.count),
      (try? UndoRecord(serialized: serialized)) == record
    else { return nil }
    return record
  }

  /// Corrects the scans that were coded again where they differ from the original's; returns whether that is possible.
  private func patch(
    _ edits: inout [Edit],
    _ undo: inout ImageUndo,
    _ scans: [Container.Scan]
  ) -> Bool {
    guard edits.count == scans.count else { return false }
    for (number, scan) in scans.enumerated()
    where !edits[number].replacement.equals(original, in: scan.data) {
      guard
        let patch = ImageUndo.Patch(from: edits[number].replacement, to: original[scan.data]),
        let patched = patch.applied(to: edits[number].replacement)
      else { return false }
      undo.patches[number] = patch
      edits[number].replacement = patched
    }
    return true
  }
}

extension [Edit] {
  fileprivate func give(_ file: [UInt8], from source: [UInt8]) -> Bool {
    guard source.count + totalShift == file.count else { return false }
    var (position, place) = (0, 0)
    for edit in inOrder {
      let kept = position..<edit.range.lowerBound
      guard source.equals(kept, in: file, at: place),
        edit.replacement.equals(
          file,
          in: place + kept.count..<place + kept.count + edit.replacement.count
        )
      else { return false }
      place += kept.count + edit.replacement.count
      position = edit.range.upperBound
    }
    return source.equals(position..<source.count, in: file, at: place)
  }
}
