internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The plan for a file, its edits, and what the result states.
struct OrientationChange {
  var plan: Plan
  var edits: [Edit] = []
  /// The orientation in which readers that follow the standard show the result; nil if it has no tag.
  var orientation: Orientation?

  /// Returns whether a result, read again, states what it should.
  func isDone(in result: ImageStatements) -> Bool {
    if case .changeTag = plan.action {
      let value = orientation.map { Int64($0.rawValue) }
      return result.values.allSatisfy { $0.value == value ?? 1 }
        && (value == nil || !result.values.isEmpty)
    }
    return result.shown == orientation && result.values.allSatisfy { $0.value == 1 }
  }
}

/// Decides how the statements of an image file change.
struct OrientationPlanner {
  let request: OrientationEditor.Request
  let options: Options

  /// Returns the change of a file, decided from its header.
  func change(_ statements: ImageStatements, size: Int) -> OrientationChange {
    let image = statements.image
    var info = ImageInfo(width: image.width, height: image.height)
    if statements.states { info.orientation = statements.shown }
    var change = OrientationChange(
      plan: Plan(
        image: info,
        action: statements.action,
        changes: [],
        embeddedImages: [],
        notes: image.notes
      )
    )
    do throws(TagChange.Refusal) {
      switch request {
      case .normalize(let then): try normalize(statements, then, &change)
      case .tag(let operation): try changeTag(statements, operation, &change)
      }
      guard !change.edits.isEmpty else { return change }
      // The last chunk of a PNG file may lack its checksum.
      guard change.edits.allSatisfy({ $0.range.upperBound <= size }) else {
        throw .otherFormat("the file ends within the metadata")
      }
      let limits = DecodingLimits(options, size: size)
      change.plan.estimatedMemory = Int(clamping: limits.memoryOfFile)
      if let reason = refusal(image) ?? limits.refusal(memory: limits.memoryOfFile) {
        throw TagChange.Refusal(reason: reason)
      }
    } catch {
      change.plan.action = .skip(error.reason)
      change.edits = []
    }
    change.plan.changes = change.edits.inOrder.map(Change.init)
    return change
  }

  private func refusal(_ image: ImageFacts) -> Reason? {
    guard image.hasCredentials else { return nil }
    return switch options.contentCredentials {
    case .skip: .contentCredentials
    case .keep: nil
    case .strip:
      Reason(
        .contentCredentials,
        "the content credentials of \(image.format.name) files are not removed"
      )
    }
  }

  // MARK: HEIF

  private func normalize(
    _ statements: ImageStatements,
    _ then: OrientationTransform,
    _ change: inout OrientationChange
  ) throws(TagChange.Refusal) {
    let image = statements.image
    guard [.heic, .heif, .avif].contains(image.format) else {
      guard then == .none else {
        throw .otherFormat("Upright does not transform the pixels of \(image.format.name) files")
      }
      return
    }
    // Without irot and imir, it is not known which orientation the writer meant.
    let base = try image.stated == nil ? requested(statements) : statements.shown
    let transform = base.transform.then(then)
    change.plan.image.orientation = base
    change.orientation = Orientation(uprightBy: transform)
    let displayed = statements.shown.transform.inverse.then(transform)
    var edits = try metadataEdits(image, to: .up)
    if displayed != .none {
      do throws(ReadingStop) { edits += try image.edits(transforming: displayed) } catch {
        throw .otherFormat(UprightError(error).message)
      }
      change.plan.action = .transform(transform, .lossless)
      if base != statements.shown {
        change.plan.notes.append("Orientation is trusted, because that was requested")
      }
    } else if !edits.isEmpty {
      change.plan.action = .resetTag(
        Reason(.appliedByReaders, "readers of \(image.format.name) apply irot and imir only")
      )
    } else {
      change.plan.action = statements.action
    }
    change.edits = edits
  }

  /// Returns the orientation of a file without irot and imir, which the policy decides if Exif or XMP gives another one.
  private func requested(_ statements: ImageStatements) throws(TagChange.Refusal) -> Orientation {
    guard let other = statements.contradiction else { return statements.shown }
    guard case .skip(let reason) = statements.action else { return statements.shown }
    switch options.onConflict {
    case .resetTag: return statements.shown
    case .trustTag:
      guard let orientation = Orientation(rawValue: Int(clamping: other.value)) else {
        throw TagChange.Refusal(reason: reason)
      }
      return orientation
    case .skip: throw TagChange.Refusal(reason: reason)
    }
  }

  // MARK: The tag

  private func changeTag(
    _ statements: ImageStatements,
    _ operation: TagEditor.Operation,
    _ change: inout OrientationChange
  ) throws(TagChange.Refusal) {
    let image = statements.image
    switch image.format {
    case .tiff, .dng, .png: break
    case .heic, .heif, .avif:
      throw .otherFormat("readers of \(image.format.name) apply irot and imir, not Orientation")
    case .jpeg, .webp, .jxl:
      throw .otherFormat("the tag of \(image.format.name) files is not changed")
    }
    let own = statements.values.filter { $0.place != "XMP" }.map { $0.value }
    if operation == .transform(.none) {
      change.plan.action = .unchanged(.tagAlready(statements.shown.rawValue))
      return
    }
    let orientation = try orientation(after: operation, own)
    change.orientation = orientation
    var edits = try metadataEdits(image, to: orientation)
    if own.isEmpty, let orientation, orientation != .up {
      let block = Array(TIFFBlock.exifSegment(orientation).dropFirst(10))
      guard image.exif.isEmpty, let insertion = image.insertion(exif: block) else {
        throw TagChange.Refusal(
          reason: Reason(
            .noOrientationEntry,
            "there is no Orientation tag, and adding one would move data that offsets point to"
          )
        )
      }
      edits.append(insertion)
    }
    change.edits = edits
    if !edits.isEmpty {
      change.plan.action = .changeTag(orientation)
      if image.directory?.hasNext == true {
        change.plan.notes.append("the Orientation of the other pages of the file stays")
      }
    } else {
      let value = own.isEmpty ? nil : orientation
      change.plan.action = .unchanged(value.map { .tagAlready($0.rawValue) } ?? .noOrientation)
    }
  }

  /// Returns the new orientation, or nil if the tag is removed.
  private func orientation(
    after operation: TagEditor.Operation,
    _ values: [Int64]
  ) throws(TagChange.Refusal) -> Orientation? {
    switch operation {
    case .set(let orientation): return orientation
    case .remove: return nil
    case .transform(let transform):
      guard let value = values.first, value != 0 else {
        return Orientation.up.transformed(by: transform)
      }
      guard values.allSatisfy({ $0 == value }) else {
        throw TagChange.Refusal(reason: .unclearOrientation(values))
      }
      guard let orientation = Orientation(rawValue: Int(clamping: value)) else {
        throw TagChange.Refusal(reason: .reservedOrientation(value))
      }
      return orientation.transformed(by: transform)
    }
  }

  // MARK: Metadata

  /// Returns the edits that set Orientation where it exists, or remove it from Exif and set it to 1 in XMP.
  private func metadataEdits(
    _ image: ImageFacts,
    to orientation: Orientation?
  ) throws(TagChange.Refusal) -> [Edit] {
    var edits: [Edit] = []
    if let directory = image.directory {
      guard let own = directory.edits(to: orientation) else {
        throw TagChange.Refusal(reason: .sharedBytes)
      }
      edits += own
    }
    for part in image.exif {
      let bytes = part.content.span
      guard let block = TIFFBlock(bytes, in: part.range) else { continue }
      if orientation == nil, block.holdsOrientationAlone(bytes),
        let removal = image.removal(of: part)
      {
        edits.append(removal)
        continue
      }
      guard
        let own = orientation.map({ block.orientationEdits(to: $0, bytes) })
          ?? block.orientationRemoval(bytes)
      else { throw TagChange.Refusal(reason: .sharedBytes) }
      edits += try self.edits(image, part, own, "Exif block")
    }
    for part in image.xmp {
      guard let packet = try? XMPPacket(part.bytes) else { continue }
      let block = XMPBlock(packet)
      let own = (block.edits(block.orientationValues(orientation ?? .up)) ?? [])
        .map { $0.moved(by: part.range.lowerBound) }
      edits += try self.edits(image, part, own, "XMP packet")
    }
    return edits
  }

  private func edits(
    _ image: ImageFacts,
    _ part: MetadataPart,
    _ own: [Edit],
    _ name: String
  ) throws(TagChange.Refusal) -> [Edit] {
    guard let edits = image.edits(of: part, own) else {
      throw .otherFormat("the \(name) is compressed or in pieces, or has no room for the new value")
    }
    return edits
  }
}

extension TagChange.Refusal {
  fileprivate static func otherFormat(_ cause: String) -> TagChange.Refusal {
    TagChange.Refusal(reason: Reason(.otherFormat, cause))
  }
}
