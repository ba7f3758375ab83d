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
  /// The indices of the pages that change; those of a TIFF file only.
  var pages: [Int] = []

  func isDone(in result: ImageStatements) -> Bool {
    result.shown == shown
      && result.values.allSatisfy { !concerns($0) || $0.value == (tag ?? .up).rawValue }
  }

  /// Returns whether a statement changes.
  func concerns(_ statement: ImageStatements.Statement) -> Bool {
    statement.page.map { pages.contains($0) } ?? true
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
      case .tag(let operation, let page): try changeTag(statements, operation, page, &change)
      }
      guard !change.edits.isEmpty else { return change }
      // The last chunk of a PNG file may lack its checksum.
      guard change.edits.allSatisfy({ $0.range.upperBound <= size }) else {
        throw .otherFormat("the file ends within the metadata")
      }
      switch image.permits(change.edits) {
      case true?: break
      case false?: throw TagChange.Refusal(reason: .sharedBytes)
      case nil: throw .otherFormat("the file has too many parts to know which bytes they use")
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
    let base = try trusted(statements, isTransformed: then != .none)
    let transform = base.transform.then(then)
    let displayed = statements.shown.transform.inverse.then(transform)
    (change.shown, change.plan.image.orientation) = (Orientation(uprightBy: transform), base)
    // Readers of irot and imir ignore Exif, and where both agree, so do the others.
    guard displayed != .none || statements.contradiction != nil else { return }
    if let structure = image.obstacle {
      throw TagChange.Refusal(reason: .imageStructure(structure))
    }
    // Metadata that states the same as the format continues to do so; some readers follow it.
    if statements.agreesWithFormat { change.tag = change.shown }
    change.edits = try metadataEdits(image, [], to: change.tag)
    if displayed != .none {
      do throws(FormatError) {
        change.edits += try image.edits(transforming: displayed)
      } catch { throw TagChange.Refusal(reason: .imageStructure(error.message)) }
      change.plan.action = .transform(transform, .lossless)
      if base != statements.shown {
        change.plan.notes.append("Orientation is trusted, because that was requested")
      }
    } else if !change.edits.isEmpty {
      change.plan.action = .resetTag(
        Reason(.appliedByReaders, "readers of \(image.format.name) apply irot and imir only")
      )
    }
    if let trailer = image.trailer { change.plan.notes.append("\(trailer.description) are kept") }
  }

  /// Returns the orientation that the policy decides on if Exif or XMP gives another one than the format.
  ///
  /// Which way to transform the displayed image is clear if the format states how it is displayed.
  private func trusted(
    _ statements: ImageStatements,
    isTransformed: Bool
  ) throws(TagChange.Refusal) -> Orientation {
    guard statements.contradiction != nil, case .skip(let reason) = statements.action,
      options.onConflict != .resetTag
    else { return statements.shown }
    if options.onConflict == .trustTag, reason.code == .orientationsDisagree,
      let orientation = statements.tagged
    {
      return orientation
    }
    guard isTransformed, statements.image.stated != nil else {
      throw TagChange.Refusal(reason: reason)
    }
    return statements.shown
  }

  // MARK: The tag

  private func changeTag(
    _ statements: ImageStatements,
    _ operation: TagEditor.Operation,
    _ page: TagEditor.Page,
    _ change: inout OrientationChange
  ) throws(TagChange.Refusal) {
    let image = statements.image
    change.pages = try pages(page, image)
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
    let own = statements.values.filter { $0.place != "XMP" && change.concerns($0) }
    let tag = try orientation(after: operation, own)
    change.tag = tag
    let changesImage = image.pages.isEmpty || change.pages.contains(image.primaryPage)
    change.shown = changesImage ? tag ?? .up : statements.shown
    change.edits = try metadataEdits(image, change.pages, to: tag)
    // Reduced renditions of an image often have no Orientation.
    let isLacking = page != .first && change.pages.contains { image.pages[$0].tag == nil }
    if isLacking || own.isEmpty, let tag, tag != .up {
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
      // Nothing to change is not the same as nothing that can be changed.
      let others = statements.values.filter {
        change.concerns($0) && $0.value != (tag ?? .up).rawValue
      }
      guard others.isEmpty, tag != nil || own.isEmpty else {
        let places = others.isEmpty ? own : others
        throw .otherFormat("the Orientation of \(places[0].place) cannot be changed")
      }
      let value = own.isEmpty ? nil : tag
      change.plan.action = .unchanged(value.map { .tagAlready($0.rawValue) } ?? .noOrientation)
    } else {
      change.plan.action = .changeTag(tag)
      if change.pages.count < image.pages.count {
        change.plan.notes.append("the Orientation of the other pages of the file stays")
      }
    }
  }

  /// Returns the indices of the pages of a TIFF file that change; none of another format.
  private func pages(
    _ page: TagEditor.Page,
    _ image: ImageFacts
  ) throws(TagChange.Refusal) -> [Int] {
    switch page {
    case .first: return image.primaryPages
    case .all: return Array(image.pages.indices)
    case .number(let number):
      let count = max(1, image.pages.count)
      guard (1...count).contains(number) else {
        throw TagChange.Refusal(reason: .noPage(number, of: count))
      }
      return image.pages.isEmpty ? [] : [number - 1]
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
    _ pages: [Int],
    to orientation: Orientation?
  ) throws(TagChange.Refusal) -> [Edit] {
    var edits: [Edit] = []
    for index in pages {
      if let problem = image.pages[index].directory.problem {
        let place = index == 0 ? "IFD0" : "page \(index + 1)"
        throw TagChange.Refusal(reason: .unreadable(place, problem))
      }
      edits += image.edits(ofPage: index, to: orientation)
    }
    // XMP is that of the first page.
    guard image.pages.isEmpty || pages.contains(0) || pages.contains(image.primaryPage) else {
      return edits
    }
    for part in image.exif {
      let bytes = part.content.span
      guard let block = TIFFBlock(bytes, in: part.range) else {
        if image.format.isHEIF { continue }
        throw TagChange.Refusal(reason: .unreadableExif("it has no TIFF header"))
      }
      if !image.format.isHEIF, let problem = block.orientationProblem(bytes) {
        throw TagChange.Refusal(reason: .unreadableExif(problem))
      }
      if orientation == nil, block.holdsOrientationAlone(bytes),
        part.problem == nil, let removal = image.removal(of: part)
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
      // A packet by itself has no limit of its length.
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
    if !own.isEmpty, let problem = part.problem {
      throw TagChange.Refusal(reason: .unreadable("metadata", problem))
    }
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
