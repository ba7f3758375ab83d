internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// Changes of the tag.
extension Planner {
  func plan(
    _ operation: TagOperation,
    _ pages: TagPages,
    _ photo: inout JPEGPhoto
  ) throws(UprightError) -> Plan {
    let header = photo.headerWithAllXMP()
    let bytes = photo.bytes.span
    var plan = Plan(photo, .unchanged(.noOrientation))
    if case .number(let number) = pages, number != 1 {
      plan.action = .skip(.noPage(number, of: 1))
      return plan
    }
    // The displayed image stays, and so does a tag that differs from another.
    if operation == .transform(.none) {
      if let orientation = header.orientation.stated {
        plan.action = .unchanged(.tagAlready(orientation.rawValue))
      }
      return plan
    }
    let edits: [Edit]
    do throws(Reason) {
      if let problem = header.exifProblem { throw .unreadableExif(problem) }
      if let reason = Reason.unread(header) { throw reason }
      let tag = try tag(after: operation, header.orientation)
      let change = try header.tagEdits(.changeTag(tag), options.regions, bytes)
      edits = change.edits
      if !edits.isEmpty {
        plan.action = .changeTag(tag)
        plan.notes = tagNotes(header, change.notes, tag, bytes)
      } else if header.orientation != .absent {
        plan.action = .unchanged(tag.map { .tagAlready($0.rawValue) } ?? .noOrientation)
      }
    } catch {
      plan.action = .skip(error)
      return plan
    }
    if !edits.isEmpty { try complete(&plan, edits, header, photo) }
    return plan
  }

  /// Returns the tag after an operation; nil if it is removed.
  func tag(
    after operation: TagOperation,
    _ orientation: StoredOrientation
  ) throws(Reason) -> Orientation? {
    switch operation {
    case .set(let orientation): return orientation
    case .remove: return nil
    case .transform(let transform):
      switch orientation {
      case .absent: return Orientation.up.transformed(by: transform)
      case .unknown where options.strictOrientation: throw .reservedOrientation(0)
      case .unknown: return Orientation.up.transformed(by: transform)
      case .value(let orientation): return orientation.transformed(by: transform)
      case .reserved(let value): throw .reservedOrientation(value)
      case .unclear(let values): throw .unclearOrientation(values)
      }
    }
  }

  /// Completes the plan of a change of a JPEG file's tag.
  func complete(
    _ plan: inout Plan,
    _ edits: [Edit],
    _ header: Header,
    _ photo: JPEGPhoto
  ) throws(UprightError) {
    let isShared = !plan.action.permits(edits, header, photo)
    try complete(
      &plan,
      edits,
      refusal: options.contentCredentials.refusal(header, photo.bytes.span)
        ?? (isShared ? .sharedBytes : nil)
    )
  }

  /// Completes the plan of a change that needs memory for the file only, or skips it.
  func complete(
    _ plan: inout Plan,
    _ edits: [Edit],
    refusal: Reason?
  ) throws(UprightError) {
    try options.checkSize(size ?? 0)
    plan.estimatedMemory = Int(clamping: limits.memoryOfFile)
    if let reason = refusal ?? limits.refusal(memory: limits.memoryOfFile) {
      plan.action = .skip(reason)
      return
    }
    plan.edits = edits
  }

  @ListBuilder<Note>
  private func tagNotes(
    _ header: Header,
    _ copies: [Note],
    _ orientation: Orientation?,
    _ bytes: Span<UInt8>
  ) -> [Note] {
    for own in header.exif.compactMap({ $0.integer(.ifd1, ExifTag.orientation, bytes) })
    where own != orientation.map({ Int64($0.rawValue) }) {
      Note(.orientationCopy, "the thumbnail's own Orientation stays \(own)")
    }
    copies
    header.xmp.compactMap {
      $0.rotationNote(from: header.orientation.usable, to: orientation ?? .up)
    }
    options.contentCredentials.notes(header, bytes)
  }
}
