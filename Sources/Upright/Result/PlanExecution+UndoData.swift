internal import FileBytes
internal import ImageFormats
internal import JPEGCore

/// The undo data in the result.
extension PlanExecution {
  /// How the result gets its undo data, or nil if it gets none and there is none to remove.
  var embedding: UndoEmbedding? {
    #if hasFeature(Embedded)
    // The module has no code that makes the data.
    return nil
    #else
    return requestedEmbedding.flatMap { $0.isForAll || photo.holdsUndoData ? $0 : nil }
    #endif
  }

  /// Returns the rewrite with its undo data; nil if there is none, if it is too large, or if the data after the image
  /// would move and must not.
  func embedded(
    _ embedding: UndoEmbedding,
    _ first: Rewrite,
    _ part: PhotoTransformer.Part,
    _ adding: ([Edit]) -> [Edit]?
  ) throws(UprightError) -> Rewrite? {
    guard let place = photo.jpeg?.header.placeForUndo, let undo = first.undo else { return nil }
    var bare = first
    var data = embedding.data(undo, file, bare.bytes)
    // The data depends on its own size if offsets change because of it. Padding makes it as large as assumed.
    for _ in 0..<8 {
      guard let assumed = UndoSegments.bytes(of: data) else { return nil }
      let field = Edit.Field("undo-data", new: "\(assumed.count) bytes")
      var insertion = Edit(place..<place, with: assumed, field: field)
      guard var edits = adding([insertion]) else { return nil }
      edits.removeAll { $0 == insertion }
      guard edits.areDisjoint else { return nil }
      if edits.applied(to: file) != bare.bytes {
        var others = part
        others.edits = edits
        guard let again = try rewrite(&others, first.plan),
          let undo = again.undo
        else { return nil }
        bare = again
        let count = data.count
        data = embedding.data(undo, file, bare.bytes)
        guard data.count <= count else { continue }
        data += [UInt8](repeating: 0, count: count - data.count)
        guard let segments = UndoSegments.bytes(of: data) else { return nil }
        insertion.replacement = segments
      }
      return try completed(bare, edits + [insertion], part.transformed, data, movedFrom: first)
    }
    return nil
  }

  /// Returns the rewrite with the last edit, the insertion of the undo data; nil if that cannot be read again.
  private func completed(
    _ bare: Rewrite,
    _ edits: [Edit],
    _ transformed: [TransformedImage],
    _ data: [UInt8],
    movedFrom first: Rewrite
  ) throws(UprightError) -> Rewrite? {
    var rewrite = bare
    rewrite.bytes = edits.applied(to: file)
    rewrite.changes = edits.changes(in: rewrite.bytes)
    let builder = UndoBuilder(
      original: file,
      result: rewrite.bytes,
      resultContainer: nil,
      changes: rewrite.changes,
      images: transformed
    )
    let segments = try UndoSegments(rewrite.bytes)
    guard let undo = bare.undo, let record = builder.record(like: undo, of: bare.bytes),
      segments.data == data, segments.content == bare.bytes
    else { return nil }
    rewrite.undo = record
    let shift = rewrite.bytes.count - first.bytes.count
    if let jpeg = photo.jpeg, jpeg.header.container.end < file.count, shift != 0 {
      rewrite.plan.notes.append(
        .dataMoved("the undo data moves the data after the image", by: shift)
      )
    }
    return rewrite
  }

  /// Returns the rewrite with notes on undo data that was requested or removed.
  func withoutUndoData(_ rewrite: Rewrite) -> Rewrite {
    var rewrite = rewrite
    if requestedEmbedding?.isForAll == true, rewrite.undo != nil {
      rewrite.plan.notes.append(
        Note(
          .noUndoData,
          rewrite.image.format == .jpeg
            ? "the undo data is not in the file: it is too large, or the data after the image must not move"
            : "the undo data is not in the file, because it is no JPEG file"
        )
      )
    }
    // Undo data that no longer restores anything may show what was cut away.
    if photo.holdsUndoData {
      let text = "the undo data in the file is removed because it no longer fits"
      rewrite.plan.notes.append(Note(.undoDataRemoved, text))
    }
    return rewrite
  }
}
