internal import FileBytes
internal import ISOBMFF
internal import ImageFormats
internal import ImageOrientation
internal import XMPPacket

/// Files of formats other than JPEG, of which only the statements about the orientation change.
extension Planner {
  func plan(_ statements: OrientationStatements) throws(UprightError) -> Plan {
    let image = statements.image
    var plan = Plan(
      image: statements.info,
      action: statements.action,
      notes: image.notes.map { Note($0) }
    )
    let edits: [Edit]
    do throws(Reason) {
      if let damage = image.damage { throw .imageStructure(damaged: damage) }
      switch request.kind {
      case .normalize(let then): edits = try normalize(then, statements, &plan)
      case .tag(let operation, let pages):
        edits = try changeTag(operation, pages, statements, &plan)
      default: throw .otherFormat(pixelsOf: image.format)
      }
      guard !edits.isEmpty else { return plan }
      // The last chunk of a PNG file may lack its checksum.
      guard edits.allSatisfy({ $0.range.upperBound <= statements.size }) else {
        throw .otherFormat("the file ends within the metadata")
      }
      guard edits.areDisjoint else { throw .sharedBytes }
      switch image.permits(edits) {
      case true?: break
      case false?: throw .sharedBytes
      case nil: throw .otherFormat("the file has too many parts to know which bytes they use")
      }
    } catch {
      plan.action = .skip(error)
      return plan
    }
    try complete(&plan, edits, refusal: options.contentCredentials.refusal(image))
    return plan
  }

  // MARK: HEIF

  private func normalize(
    _ then: OrientationTransform,
    _ statements: OrientationStatements,
    _ plan: inout Plan
  ) throws(Reason) -> [Edit] {
    let image = statements.image
    guard image.format.isHEIF else {
      guard then == .none else {
        throw image.format.isRaw
          ? .rawFile(image.format)
          : .otherFormat(
            pixelsOf: image.format,
            remedies: image.format.hasChangeableTag
              ? [Remedy(.policy("tag-only", "true"), "change the tag")] : []
          )
      }
      return []
    }
    let base = try trusted(statements, isTransformed: then != .none)
    let transform = base.transform.then(then)
    let displayed = statements.shown.transform.inverse.then(transform)
    if statements.states { plan.image.orientation = base }
    // Readers of irot and imir ignore Exif, and where both agree, so do the others.
    guard displayed != .none || statements.contradiction != nil else { return [] }
    if let structure = image.obstacle {
      throw .imageStructure(structure)
    }
    let regions = RegionTagChange(
      statements.packets.map { $0.block },
      options.regions,
      of: PixelSize(width: image.width, height: image.height),
      from: statements.shown.transform,
      to: transform,
      isShownOnly: true
    )
    var edits = try metadataEdits(
      statements,
      [],
      to: statements.tag(after: transform),
      regions,
      &plan
    )
    if displayed != .none { plan.notes += statements.packets.compactMap { $0.block.editsNote } }
    if displayed != .none {
      do throws(FormatError) {
        edits += try image.edits(transforming: displayed)
      } catch { throw .imageStructure(error.message) }
      plan.action = .transform(transform, .lossless)
      if let depth = image.deepImage(mirroredBy: displayed) {
        plan.notes.append(
          Note(
            .mirrorNotShown,
            "an image of \(depth) bits per sample is mirrored by imir, which libheif 1.15 refuses to show"
          )
        )
      }
      if base != statements.shown {
        plan.notes.append(
          Note(.tagTrusted, "Orientation is trusted, because that was requested")
        )
      }
    } else if !edits.isEmpty {
      plan.action = .resetTag(
        Reason(.appliedByReaders, "readers of \(image.format.name) apply irot and imir only")
      )
    }
    if let trailer = image.trailer {
      plan.notes.append(Note(.trailerKept, "\(trailer.description) are kept"))
    }
    return edits
  }

  /// Returns the orientation that the policy decides on if Exif or XMP gives another one than the format.
  ///
  /// Which way to transform the displayed image is clear if the format states how it is displayed.
  private func trusted(
    _ statements: OrientationStatements,
    isTransformed: Bool
  ) throws(Reason) -> Orientation {
    guard statements.contradiction != nil, case .skip(let reason) = statements.action,
      options.onConflict != .resetTag
    else { return statements.shown }
    if options.onConflict == .trustTag, reason.code == .orientationsDisagree,
      let orientation = statements.tagged
    {
      return orientation
    }
    guard isTransformed else { throw reason }
    if statements.image.stated != nil { return statements.shown }
    // The policy that decides is one of normalizations.
    var undecided = Reason(reason.code, reason.cause)
    if !reason.remedies.isEmpty {
      let first = Remedy(.action(.normalize), "normalize it first, with a decision")
      undecided = Reason(reason.code, reason.cause, remedies: [first])
    }
    throw undecided
  }

  // MARK: The tag

  private func changeTag(
    _ operation: TagOperation,
    _ page: TagPages,
    _ statements: OrientationStatements,
    _ plan: inout Plan
  ) throws(Reason) -> [Edit] {
    let image = statements.image
    if image.format.isRaw { throw .rawFile(image.format) }
    let pages = try page.indices(in: image)
    guard image.format.hasChangeableTag else {
      switch image.format.structure {
      case .movie: throw .otherFormat("the matrix of videos is not changed")
      case .heif:
        throw .otherFormat(
          "readers of \(image.format.name) apply irot and imir, not Orientation",
          remedies: [Remedy(.action(.transformImage), "rotate or flip the photo instead")]
        )
      default: throw .otherFormat("the tag of \(image.format.name) files is not changed")
      }
    }
    guard operation != .transform(.none) else {
      plan.action = .unchanged(.tagAlready(statements.shown.rawValue))
      return []
    }
    let concerned = statements.values(of: pages)
    let own = concerned.filter { $0.place != "XMP" }
    let tag = try self.tag(after: operation, StoredOrientation(own.map { $0.value }))
    let regions = RegionTagChange(
      statements.packets.map { $0.block },
      .changeTag(tag),
      options.regions,
      of: PixelSize(width: image.width, height: image.height),
      shown: statements.shown.transform
    )
    var edits = try metadataEdits(statements, pages, to: tag, regions, &plan)
    // Reduced renditions of an image often have no Orientation.
    let isLacking = page != .first && pages.contains { image.pages[$0].tag == nil }
    if isLacking || own.isEmpty, let tag, tag != .up {
      let block = Array(TIFFBlock.exifSegment(tag).dropFirst(10))
      guard image.exif.isEmpty, let insertion = image.insertion(exif: block) else {
        throw Reason(
          .noOrientationEntry,
          "there is no Orientation tag, and adding one would move data that offsets point to"
        )
      }
      edits.append(insertion)
    }
    if edits.isEmpty {
      // Nothing to change is not the same as nothing that can be changed.
      let others = concerned.filter { $0.value != (tag ?? .up).rawValue }
      guard others.isEmpty, tag != nil || own.isEmpty else {
        let places = others.isEmpty ? own : others
        throw .otherFormat("the Orientation of \(places[0].place) cannot be changed")
      }
      let value = own.isEmpty ? nil : tag
      plan.action = .unchanged(value.map { .tagAlready($0.rawValue) } ?? .noOrientation)
    } else {
      plan.action = .changeTag(tag)
      if pages.count < image.pages.count {
        plan.notes.append(
          Note(.otherPages, "the Orientation of the other pages of the file stays")
        )
      }
    }
    return edits
  }

  // MARK: Metadata

  /// Returns the edits that set Orientation where it exists, or remove it from Exif and set it to 1 in XMP.
  private func metadataEdits(
    _ statements: OrientationStatements,
    _ pages: [Int],
    to orientation: Orientation?,
    _ regions: RegionTagChange,
    _ plan: inout Plan
  ) throws(Reason) -> [Edit] {
    let image = statements.image
    if let unread = statements.unread { throw unread }
    var edits: [Edit] = []
    for index in pages {
      if let problem = image.pages[index].directory.problem {
        let place = index == 0 ? "IFD0" : "page \(index + 1)"
        throw .unreadable(place, problem)
      }
      edits += image.edits(ofPage: index, to: orientation)
    }
    // XMP is that of the first page.
    guard image.pages.isEmpty || pages.contains(0) || pages.contains(image.primaryPage) else {
      return edits
    }
    for (part, block) in statements.exif {
      let bytes = part.content.span
      guard let block else {
        if image.format.isHEIF { continue }
        throw .unreadableExif("it has no TIFF header")
      }
      if !image.format.isHEIF, let problem = block.orientationProblem(bytes) {
        throw .unreadableExif(problem)
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
      else { throw .sharedBytes }
      edits += try self.edits(image, part, own)
    }
    plan.notes += regions.notes
    for (part, block) in statements.packets {
      let values = regions.values(block)
      if !values.isEmpty {
        if part.problem == nil,
          let own = block.fittingEdits(block.orientationValues(orientation ?? .up) + values),
          let moved = image.edits(of: part, own.map { $0.moved(by: part.range.lowerBound) })
        {
          edits += moved
          continue
        }
        plan.notes.append(.regionsKept(in: "XMP"))
      }
      // A packet by itself has no limit of its length.
      let own = block.edits(block.orientationValues(orientation ?? .up)) ?? []
      edits += try self.edits(image, part, own.map { $0.moved(by: part.range.lowerBound) })
    }
    return edits
  }

  private func edits(
    _ image: FormatHeader,
    _ part: MetadataPart,
    _ own: [Edit]
  ) throws(Reason) -> [Edit] {
    if !own.isEmpty, let problem = part.problem {
      throw .unreadable("metadata", problem)
    }
    guard let edits = image.edits(of: part, own) else {
      throw .otherFormat("metadata is compressed or in pieces, or has no room for the new value")
    }
    return edits
  }
}

extension Reason {
  fileprivate static func rawFile(_ format: ImageFormat) -> Reason {
    let name = format == .raw ? "camera raw" : format.name
    return .otherFormat(
      "\(name) files are not changed: set Orientation in the XMP sidecar, which raw developers read"
    )
  }

  fileprivate static func otherFormat(_ cause: String, remedies: [Remedy] = []) -> Reason {
    Reason(.otherFormat, cause, remedies: remedies)
  }

  fileprivate static func otherFormat(
    pixelsOf format: ImageFormat,
    remedies: [Remedy] = []
  ) -> Reason {
    otherFormat(
      "Upright does not transform the pixels of \(format.name) files",
      remedies: remedies + (format.isHEIF ? [Remedy(.action(.convert), "")] : [])
    )
  }
}

extension ImageFormat {
  /// Whether the Orientation tag of such files can be changed.
  fileprivate var hasChangeableTag: Bool { structure == .tiff || structure == .png }
}

extension Note {
  /// Creates the note on what is read of a file.
  fileprivate init(_ note: FormatNote) {
    self.init(Code(rawValue: note.kind.rawValue), note.text)
  }
}
