internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// Decides what is done with a file, from its header alone.
struct Planner {
  var options: Options

  /// The plan for a file.
  func plan(_ header: Header, _ bytes: Span<UInt8>) throws(UprightError) -> Plan {
    let picture = Picture(header.frame, header.orientation.usable)
    var plan = Plan(picture: picture, action: .nothing(.noOrientation), changes: [], notes: [])
    plan.action = try action(header, bytes)
    switch plan.action {
    case .turn(let turn, _):
      plan.changes = Self.changes(headerEdits(header, turn, bytes), header, turn, bytes)
      plan.notes = notes(header, turn, bytes)
    case .resetTag:
      plan.changes = tagEdits(header, bytes).map(Change.init)
    case .nothing, .leave: break
    }
    return plan
  }

  private func action(_ header: Header, _ bytes: Span<UInt8>) throws(UprightError) -> Action {
    if let reason = unreadable(header) { return .leave(reason) }
    let turn: Turn
    switch header.orientation {
    case .absent:
      return header.exifProblem.map { .leave(.unreadableExif($0)) } ?? .nothing(.noOrientation)
    case .value(.up): return .nothing(.upright)
    case .value(let orientation): turn = orientation.turn
    case .reserved(let value): return .leave(.reservedOrientation(value))
    case .unclear(let values): return .leave(.unclearOrientation(values))
    }
    if let reason = refusal(header, bytes) { return .leave(reason) }
    let evidence = ConflictEvidence.find(header, bytes)
    if !evidence.isEmpty {
      switch options.onConflict {
      case .skip: return .leave(.conflict(evidence))
      case .resetTag: return .resetTag(.conflict(evidence))
      case .trustTag: break
      }
    }
    return try edges(header.frame, turn)
  }

  /// What becomes of the edges.
  private func edges(_ frame: Frame, _ turn: Turn) throws(UprightError) -> Action {
    let trimmed = frame.trimmed(for: turn)
    guard trimmed != frame else { return .turn(turn, .exact) }
    let (columns, rows) = (frame.width - trimmed.width, frame.height - trimmed.height)
    let loss = Self.loss(columns: columns, rows: rows)
    switch options.unaligned {
    case .trim where trimmed.width > 0 && trimmed.height > 0:
      return .turn(turn, .trimmed(columns: columns, rows: rows))
    case .trim, .skip: return .leave(.unalignedEdge(loss))
    case .fail:
      throw UprightError(
        .unalignedEdge,
        "the picture's edge is not a whole number of blocks, a lossless turn would lose \(loss)"
      )
    }
  }

  /// Columns and rows in words.
  static func loss(columns: Int, rows: Int) -> String {
    let parts = [(columns, "column"), (rows, "row")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return parts.joined(separator: " and ") + " of pixels"
  }

  /// Why decoders do not read the picture, or not without complaint, whatever its orientation.
  private func unreadable(_ header: Header) -> Reason? {
    let frame = header.frame
    if let offset = header.container.strayByteOffset { return .strayBytes(at: offset) }
    if frame.process.isLossless || frame.process.isHierarchical {
      return .codingProcess(frame.process.description)
    }
    if frame.precision != 8 { return .samplePrecision(frame.precision) }
    if frame.height == 0 { return .heightByDNL }
    return nil
  }

  /// Why a picture that has to be turned cannot be.
  private func refusal(_ header: Header, _ bytes: Span<UInt8>) -> Reason? {
    let frame = header.frame
    if frame.process.isArithmetic { return .arithmeticCoding }
    if frame.width * frame.height > options.maxPixels {
      return .pixelLimit(frame.width, frame.height, options.maxPixels)
    }
    if !CoefficientReader.canRead(frame) { return .sampling(frame.factors) }
    if !header.container.segments(.jpegXT, in: bytes).isEmpty { return .jpegXT }
    let credentials = header.container.segments(.jumbf, in: bytes).contains {
      bytes.bytes($0.payload).firstRange(of: Array("c2pa".utf8)) != nil
    }
    if credentials { return .contentCredentials }
    if let count = MultiPictureIndex(header.container, bytes)?.count, count > 1 {
      return .multiPicture(count)
    }
    return nil
  }

  /// The edits of everything before the first scan but the coding tables.
  func headerEdits(_ header: Header, _ turn: Turn, _ bytes: Span<UInt8>) -> [Edit] {
    let kept = header.frame.trimmed(for: turn)
    let turned = kept.turned(by: turn)
    var edits: [Edit] = []
    for block in header.exif {
      edits += block.normalizationEdits(
        turn: turn,
        from: header.frame,
        to: turned,
        swapsResolution: options.resolution == .follow,
        bytes
      )
    }
    if turn.transposes, options.resolution == .follow {
      edits += header.container.segments(.jfif, in: bytes).compactMap {
        Self.densityExchange($0, bytes)
      }
    }
    return edits
  }

  /// The edits that set Orientation to 1 and nothing else.
  func tagEdits(_ header: Header, _ bytes: Span<UInt8>) -> [Edit] {
    var edits: [Edit] = []
    for block in header.exif { edits += block.orientationEdits(bytes) }
    return edits
  }

  /// The exchange of JFIF's Xdensity and Ydensity, where they differ.
  private static func densityExchange(_ segment: Segment, _ bytes: Span<UInt8>) -> Edit? {
    let at = segment.payload.lowerBound + 8
    guard segment.payload.count >= 12, let x = bytes.uint16(at: at),
      let y = bytes.uint16(at: at + 2),
      x != y
    else { return nil }
    return Edit(
      at..<at + 4,
      with: y.bytes(.big) + x.bytes(.big),
      field: Edit.Field("jfif.density", old: "\(x)×\(y)", new: "\(y)×\(x)")
    )
  }

  /// What is kept although it describes the raster as it was.
  private func notes(_ header: Header, _ turn: Turn, _ bytes: Span<UInt8>) -> [String] {
    var notes: [String] = []
    for block in header.exif {
      for (tag, name) in [
        (ExifTag.subjectArea, "SubjectArea"), (ExifTag.subjectLocation, "SubjectLocation"),
      ] where !block.entries(.exif, tag).isEmpty {
        notes.append("\(name) is kept and describes the raster as it was stored")
      }
      guard turn.transposes, options.resolution == .keep else { continue }
      for (directory, x, y, name) in [
        (TIFFBlock.Kind.ifd0, ExifTag.xResolution, ExifTag.yResolution, "X and YResolution"),
        (
          .exif, ExifTag.focalPlaneXResolution, ExifTag.focalPlaneYResolution,
          "FocalPlaneX and YResolution"
        ),
      ] where block.differ(directory, x, y, bytes) {
        notes.append("\(name) differ and are kept (--resolution follow exchanges them)")
      }
    }
    return notes
  }

  private static func changes(
    _ edits: [Edit],
    _ header: Header,
    _ turn: Turn,
    _ bytes: Span<UInt8>
  ) -> [Change] {
    let kept = header.frame.trimmed(for: turn)
    let coding = (try? ScanRewriter(header.container, frame: kept, turn: turn, bytes))?.headerEdits
    return (edits + (coding ?? [])).map(Change.init).sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
  }
}

extension Change {
  init(_ edit: Edit) {
    self.init(
      field: edit.field.identifier,
      range: edit.range,
      replacement: edit.replacement,
      old: edit.field.old,
      new: edit.field.new
    )
  }
}
