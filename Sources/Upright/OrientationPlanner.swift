internal import ISOBMFF
internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The plan for a file, its edits, and what the result states.
struct OrientationChange {
  var plan: Plan
  var edits: [Edit] = []
  /// The orientation in which readers that follow the standard show the result.
  var shown = Orientation.up
  /// Orientation in the metadata of the result; nil if it is removed.
  var tag: Orientation? = .up

  func isDone(in result: ImageStatements) -> Bool {
    result.shown == shown && result.values.allSatisfy { $0.value == (tag ?? .up).rawValue }
  }
}

/// Decides how the statements of an image file change.
struct OrientationPlanner {
  let request: OrientationEditor.Request
  let options: Options

  /// Returns the change of a file, decided from its header.
  func change(_ statements: ImageStatements, size: Int) -> OrientationChange {
    let image = statements.image
    var change = OrientationChange(plan: statements.plan)
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
      change.plan.changes = change.edits.changes
    } catch {
      change.plan.action = .skip(error.reason)
      change.edits = []
    }
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
    guard image.format.isHEIF else {
      guard then == .none else {
        throw .otherFormat("Upright does not transform the pixels of \(image.format.name) files")
      }
      return
    }
    // Without irot and imir, it is not known which orientation the writer meant.
    let base = try image.stated == nil ? trusted(statements) : statements.shown
    let transform = base.transform.then(then)
    let displayed = statements.shown.transform.inverse.then(transform)
    (change.shown, change.plan.image.orientation) = (Orientation(uprightBy: transform), base)
    change.edits = try metadataEdits(image, to: .up)
    if displayed != .none {
      do throws(FormatError) {
        change.edits += try image.edits(transforming: displayed)
      } catch { throw .otherFormat(error.message) }
      change.plan.action = .transform(transform, .lossless)
      if base != statements.shown {
        change.plan.notes.append("Orientation is trusted, because that was requested")
      }
    } else if !change.edits.isEmpty {
      change.plan.action = .resetTag(
        Reason(.appliedByReaders, "readers of \(image.format.name) apply irot and imir only")
      )
    }
  }

  /// Returns the orientation of a file without irot and imir, which the policy decides if Exif or XMP gives another one.
  private func trusted(_ statements: ImageStatements) throws(TagChange.Refusal) -> Orientation {
    guard let other = statements.contradiction, case .skip(let reason) = statements.action,
      options.onConflict != .resetTag
    else { return statements.shown }
    guard options.onConflict == .trustTag, let orientation = other.orientation else {
      throw TagChange.Refusal(reason: reason)
    }
    return orientation
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
    guard operation != .transform(.none) else {
      change.plan.action = .unchanged(.tagAlready(statements.shown.rawValue))
      return
    }
    let own = statements.values.filter { $0.place != "XMP" }
    let tag = try orientation(after: operation, own)
    (change.shown, change.tag) = (tag ?? .up, tag)
    change.edits = try metadataEdits(image, to: tag)
    if own.isEmpty, let tag, tag != .up {
      let block = Array(TIFFBlock.exifSegment(tag).dropFirst(10))
      guard image.exif.isEmpty, let insertion = image.insertion(exif: block) else {
        throw TagChange.Refusal(
          reason: Reason(
            .noOrientationEntry,
            "there is no Orientation tag, and adding one would move data that offsets point to"
          )
        )
      }
      change.edits.append(insertion)
    }
    if change.edits.isEmpty {
      let value = own.isEmpty ? nil : tag
      change.plan.action = .unchanged(value.map { .tagAlready($0.rawValue) } ?? .noOrientation)
    } else {
      change.plan.action = .changeTag(tag)
      if image.directory?.hasNext == true {
        change.plan.notes.append("the Orientation of the other pages of the file stays")
      }
    }
  }

  private func orientation(
    after operation: TagEditor.Operation,
    _ values: [ImageStatements.Statement]
  ) throws(TagChange.Refusal) -> Orientation? {
    switch operation {
    case .set(let orientation): return orientation
    case .remove: return nil
    case .transform(let transform):
      let numbers = values.map { $0.value }
      guard let first = values.first, first.value != 0 else {
        return Orientation.up.transformed(by: transform)
      }
      guard numbers.allSatisfy({ $0 == first.value }) else {
        throw TagChange.Refusal(reason: .unclearOrientation(numbers))
      }
      guard let orientation = first.orientation else {
        throw TagChange.Refusal(reason: .reservedOrientation(first.value))
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
    guard var edits = image.directory.map({ $0.edits(to: orientation) }) ?? [] else {
      throw TagChange.Refusal(reason: .sharedBytes)
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
      edits += try self.edits(image, part, own)
    }
    for part in image.xmp {
      guard let packet = try? XMPPacket(part.bytes) else { continue }
      let block = XMPBlock(packet)
      let own = block.edits(block.orientationValues(orientation ?? .up)) ?? []
      edits += try self.edits(image, part, own.map { $0.moved(by: part.range.lowerBound) })
    }
    return edits
  }

  private func edits(
    _ image: ImageFacts,
    _ part: MetadataPart,
    _ own: [Edit]
  ) throws(TagChange.Refusal) -> [Edit] {
    guard let edits = image.edits(of: part, own) else {
      throw .otherFormat("metadata is compressed or in pieces, or has no room for the new value")
    }
    return edits
  }
}

extension TagChange.Refusal {
  fileprivate static func otherFormat(_ cause: String) -> TagChange.Refusal {
    TagChange.Refusal(reason: Reason(.otherFormat, cause))
  }
}
