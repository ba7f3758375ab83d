import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Records
import Testing
import Upright
import Verification

/// Undo data in the photo itself.
struct EmbeddedUndoTests {
  /// A rewrite, without and with its undo data in the result.
  private struct Trial {
    var original: [UInt8]
    var plain: Rewrite
    var rewrite: Rewrite

    /// Rewrites a file; nil if it is not rewritten, or if its undo data cannot be embedded.
    init?(_ original: [UInt8], then transform: OrientationTransform = .none) throws {
      var options = Options()
      (options.onConflict, options.contentCredentials) = (.trustTag, .keep)
      let rewriter = Rewriter(.normalize(then: transform), options: options)
      guard case .rewritten(let plain)? = try? rewriter.rewrite(original),
        case .rewritten(let rewrite) = try rewriter.embeddingUndo().rewrite(original),
        rewrite.holdsUndoData
      else { return nil }
      (self.original, self.plain, self.rewrite) = (original, plain, rewrite)
    }

    init(fixture path: String) throws {
      self = try #require(try Trial(try Fixture.bytes(path)))
    }
  }

  private func restoration(_ file: [UInt8], maxSteps: Int = .max) throws -> Restoration {
    try Restoration(embeddedIn: file, maxPixels: .max, maxSteps: maxSteps)
  }

  /// The file that the listed changes make of the original.
  private func changed(_ original: [UInt8], _ changes: [Change]) -> [UInt8] {
    changes.map {
      Edit($0.range, with: Array($0.replacement), field: Edit.Field($0.field.rawValue))
    }
    .applied(to: original)
  }

  @Test func `Every fixture is restored from its result alone`() throws {
    var count = 0
    for fixture in Fixture.all {
      guard let trial = try Trial(try fixture.bytes()) else { continue }
      count += 1
      let bytes = trial.rewrite.bytes
      #expect(try restoration(bytes) == .restored(trial.original), "\(fixture)")
      let undo = try #require(trial.rewrite.undo)
      #expect(try undo.restoreOriginal(from: bytes) == trial.original, "\(fixture)")
      #expect(changed(trial.original, trial.rewrite.changes) == bytes, "\(fixture)")
      #expect(trial.rewrite.holdsUndoData && EmbeddedUndo.exists(in: bytes), "\(fixture)")
      #expect(try !Rewriter().rewrite(bytes).plan.action.rewrites, "\(fixture)")
    }
    #expect(count > 180)
  }

  @Test func `Removing the undo data gives the plain result`() throws {
    for path in ["orientation/aligned-6.jpg", "orientation/unaligned-6.jpg", "sample/portrait.jpg"]
    {
      let trial = try Trial(fixture: path)
      #expect(try EmbeddedUndo.removed(from: trial.rewrite.bytes) == trial.plain.bytes)
      #expect(try EmbeddedUndo.removed(from: trial.plain.bytes) == nil)
    }
  }

  @Test(
    arguments: Fixture.all.filter {
      $0.path.hasPrefix("multi-picture/") || $0.path.hasPrefix("trailer/")
    }
  )
  func `The data after the image is kept, and the index finds it`(fixture: Fixture) throws {
    guard let trial = try Trial(try fixture.bytes()) else { return }
    func rest(_ file: [UInt8]) throws -> ArraySlice<UInt8> { file[try Container(file.span).end...] }
    func images(_ file: [UInt8]) throws -> [[UInt8]] {
      let entries = MultiPictureIndex(try Container(file.span), file.span)?.entries ?? []
      // An index can have an offset to no image.
      return entries.dropFirst().map { Array(file.dropFirst(Int($0.start)).prefix(Int($0.size))) }
        .filter { $0.starts(with: [0xFF, 0xD8]) }
    }
    let bytes = trial.rewrite.bytes
    #expect(try rest(bytes) == rest(trial.plain.bytes))
    #expect(try images(bytes) == images(trial.plain.bytes))
    let index = MultiPictureIndex(try Container(bytes.span), bytes.span)?.entries.first
    let plain = MultiPictureIndex(try Container(trial.plain.bytes.span), trial.plain.bytes.span)
    if let size = index?.size, let before = plain?.entries.first?.size {
      let growth = Int64(bytes.count - trial.plain.bytes.count)
      #expect(size == before + growth)
    }
    let bare = try #require(try EmbeddedUndo.removed(from: bytes))
    #expect(try rest(bare) == rest(trial.plain.bytes) && images(bare) == images(trial.plain.bytes))
  }

  @Test func `Undo data that restores another file is a finding`() throws {
    let trial = try Trial(fixture: "orientation/aligned-6.jpg")
    let other = try Trial(fixture: "orientation/aligned-8.jpg")
    func findings(_ result: [UInt8], _ original: [UInt8]) throws -> [String] {
      var verdict = try Verifier().verify(original: original, result: result)
      let before = verdict.findings.count
      verdict.checkUndoData(in: result, of: original)
      return verdict.findings[before...].map { $0.code.rawValue }
    }
    #expect(try findings(trial.rewrite.bytes, trial.original).isEmpty)
    #expect(try findings(trial.plain.bytes, trial.original).isEmpty)
    #expect(try findings(other.rewrite.bytes, trial.original) == ["undo-data-wrong"])
  }

  @Test func `Each rewrite leads to the one before, and all to the first original`() throws {
    var files = [try Fixture.bytes("orientation/unaligned-6.jpg")]
    for transform in [OrientationTransform.none, .rotate90, .flipHorizontal, .rotate270] {
      let last = try #require(files.last)
      files.append(try #require(try Trial(last, then: transform)).rewrite.bytes)
    }
    for (index, file) in files.enumerated().dropFirst() {
      #expect(try restoration(file) == .restored(files[0]))
      #expect(try restoration(file, maxSteps: 1) == .restored(files[index - 1]))
    }
    #expect(try restoration(files[0]) == .noRecord)
  }

  @Test func `A file that was changed between two rewrites is the first that is restored`() throws {
    var edited = try Trial(fixture: "orientation/aligned-6.jpg").rewrite.bytes
    edited.insert(contentsOf: [0xFF, 0xFE, 0, 3, 65], at: 2)
    let second = try #require(try Trial(edited, then: .rotate180))
    #expect(try restoration(edited) == .changedSince)
    #expect(try restoration(second.rewrite.bytes) == .restored(edited))
  }

  @Test func `A changed byte is noticed or harmless, wherever it is`() throws {
    let trial = try Trial(fixture: "orientation/aligned-6.jpg")
    for offset in trial.rewrite.bytes.indices {
      for bit in [0x01, 0x80] as [UInt8] {
        var file = trial.rewrite.bytes
        file[offset] ^= bit
        if case .restored(let restored)? = try? restoration(file) {
          #expect(restored == trial.original, "byte \(offset)")
        }
      }
    }
  }

  @Test func `A truncated file is never restored`() throws {
    let trial = try Trial(fixture: "orientation/aligned-6.jpg")
    for count in trial.rewrite.bytes.indices {
      if case .restored? = try? restoration(Array(trial.rewrite.bytes[..<count])) {
        Issue.record("\(count) bytes")
      }
    }
  }

  @Test func `The undo data of another file is not used`() throws {
    let (mine, other) = (
      try Trial(fixture: "orientation/aligned-6.jpg"), try Trial(fixture: "sample/portrait.jpg")
    )
    let insertion = try #require(mine.rewrite.changes.first { $0.field == .undoData })
    let place = try #require(JPEGPhoto(other.plain.bytes).header.placeForUndo)
    var file = other.plain.bytes
    file.insert(contentsOf: insertion.replacement, at: place)
    #expect(try restoration(file) == .changedSince)
  }

  /// Puts made-up undo data with the right hash of the photo into a file.
  private func forged(
    _ file: [UInt8],
    _ original: Record.Content,
    _ undo: [UInt8]
  ) throws -> [UInt8] {
    var writer = CompactWriter()
    writer.write(1)
    writer.write(Digest(of: file).bytes)
    writer.write(original.size)
    writer.write(original.sha256.bytes)
    writer.write(undo)
    var forged = file
    let place = try #require(JPEGPhoto(file).header.placeForUndo)
    forged.insert(contentsOf: try #require(UndoSegments.bytes(of: writer.bytes)), at: place)
    return forged
  }

  /// The zlib data of a text in Python.
  private func compressed(_ expression: String) throws -> [UInt8] {
    let code = "import sys, zlib; sys.stdout.buffer.write(zlib.compress(\(expression)))"
    return try Tool.run("python3", ["-c", code]).output
  }

  @Test func `Forged undo data never gives other bytes`() throws {
    let photo = try Trial(fixture: "orientation/aligned-6.jpg").plain.bytes
    let (size, original) = (photo.count, Record.Content(photo))
    // Version 1, the size, one step that copies the whole file, no images.
    let copy =
      "bytes([1, \(size & 127 | 128), \(size >> 7), 1, 0, \(size & 127 | 128), \(size >> 7), 0])"
    let same = try forged(photo, original, compressed(copy))
    #expect(try restoration(same) == .restored(photo))
    for (content, undo) in [
      (Record.Content([1, 2, 3]), try compressed(copy)),
      (original, try compressed("bytes(1 << 26)")), (original, try compressed("b'garbage'")),
      (original, Array("garbage".utf8)), (original, []),
    ] {
      let file = try forged(photo, content, undo)
      #expect(throws: UprightError.self) { try restoration(file) }
    }
  }

  @Test func `Large undo data is in several segments`() throws {
    var original = try Fixture.bytes("orientation/aligned-6.jpg")
    var generator = SeededGenerator(seed: 1)
    let credentials = (0..<4).flatMap { number -> [UInt8] in
      let box = Array("JP".utf8) + [0, 1, 0, 0, 0, UInt8(number + 1), 0, 3, 0xA9, 0x80]
      let noise = (0..<60_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      return SegmentBytes.application(11, box + Array("jumbc2pa".utf8) + noise) ?? []
    }
    original.insert(contentsOf: credentials, at: 2)
    var options = Options()
    options.contentCredentials = .strip
    let rewriter = Rewriter(options: options).embeddingUndo()
    guard case .rewritten(let rewrite) = try rewriter.rewrite(original) else {
      throw Tool.Failure("the file is not rewritten")
    }
    let segments = try Container(rewrite.bytes.span).segments(.undoData, in: rewrite.bytes.span)
    #expect(segments.count == 4)
    #expect(try restoration(rewrite.bytes) == .restored(original))
    for segment in segments {
      var file = rewrite.bytes
      file.removeSubrange(segment.range)
      #expect(throws: UprightError.self) { try restoration(file) }
    }
  }

  /// A photo with data after it, whose XMP gives the length of the image: so many bytes, by a comment.
  private func photo(
    listing length: Int,
    _ orientation: String,
    padding: Int = 0,
    fillsSegment: Bool = false
  ) throws -> [UInt8] {
    var photo = try Fixture.bytes("orientation/aligned-6.jpg")
    var packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="\(orientation)"
      xmlns:Container="http://ns.google.com/photos/1.0/container/"
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory><rdf:Seq>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary"
      Item:Length="\(length)"/></rdf:li>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto"
      Item:Length="4"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
      \(String(repeating: " ", count: padding))
      """
    if fillsSegment {
      while packet.last?.isWhitespace == true { packet.removeLast() }
      packet += "<!--\(String(repeating: "x", count: 65_504 - packet.utf8.count - 7))-->"
    }
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
    photo.insert(contentsOf: try #require(SegmentBytes.application(1, xmp)), at: 2)
    let comment = [UInt8](repeating: 0x20, count: length - photo.count - 4)
    let size = UInt16(comment.count + 2).bytes(.big)
    photo.insert(contentsOf: [0xFF, 0xFE] + size + comment, at: 2)
    return photo + [1, 2, 3, 4]
  }

  @Test(arguments: [Request.tag(.set(.left)), .tag(.remove), .normalize()], ["", "6", "06"])
  func `The length of the image in XMP is that of the image with its undo data`(
    request: Request,
    orientation: String
  ) throws {
    // If the image is kept, the undo data makes the number longer, and with it the packet.
    for padding in [0, 2000] {
      let original = try photo(listing: 9990, orientation, padding: padding)
      var options = Options()
      options.onConflict = .trustTag
      let rewriter = Rewriter(request, options: options).embeddingUndo()
      guard case .rewritten(let rewrite) = try rewriter.rewrite(original) else {
        throw Tool.Failure("the file is not rewritten")
      }
      #expect(rewrite.holdsUndoData)
      let end = try Container(rewrite.bytes.span).end
      let text = String(decoding: rewrite.bytes, as: UTF8.self)
      #expect(text.contains("Item:Length=\"\(end)\""))
      #expect(Array(rewrite.bytes[end...]) == [1, 2, 3, 4])
      #expect(try restoration(rewrite.bytes) == .restored(original))
      let bare = try #require(try EmbeddedUndo.removed(from: rewrite.bytes))
      #expect(try Container(bare.span).end == end)
    }
  }

  @Test func `A packet without room for its length holds up the undo data, not the rewrite`() throws
  {
    // The segment has its maximum size.
    let original = try photo(listing: 99_990, "6", fillsSegment: true)
    #expect(try Container(original.span).segments.contains { $0.range.count == 65_537 })
    let rewriter = Rewriter(.tag(.set(.left))).embeddingUndo()
    guard case .rewritten(let rewrite) = try rewriter.rewrite(original) else {
      throw Tool.Failure("the file is not rewritten")
    }
    #expect(!rewrite.holdsUndoData && rewrite.plan.notes.map(\.code).contains(.noUndoData))
    #expect(try Container(rewrite.bytes.span).end == 99_990)
  }

  @Test func `Programs decode the same pixels with and without undo data`() throws {
    for path in [
      "orientation/aligned-6.jpg", "orientation/unaligned-6.jpg", "coding/progressive.jpg",
    ] {
      let original = try Fixture.bytes(path)
      let trial = try #require(try Trial(original))
      #expect(try Tool.djpeg(trial.rewrite.bytes) == Tool.djpeg(trial.plain.bytes))
    }
  }
}
