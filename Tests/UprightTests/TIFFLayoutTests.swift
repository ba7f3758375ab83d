import FileBytes
import Fixtures
import ImageOrientation
import Testing
import Upright

/// TIFF files of all layouts.
struct TIFFLayoutTests {
  private func edit(
    _ file: [UInt8],
    _ operation: TagOperation,
    page: TagPages = .first
  ) throws -> Outcome {
    var rewriter = Rewriter(.tag(operation, pages: page))
    rewriter.options.makesUndo = true
    return try rewriter.rewrite(file)
  }

  private func reason(_ outcome: Outcome) -> Reason.Code? {
    switch outcome.plan.action {
    case .skip(let reason), .unchanged(let reason): reason.code
    default: nil
    }
  }

  @Test func `No change touches a byte that a strip, a value or another page uses`() throws {
    var generator = SeededGenerator(seed: 51)
    var (rewritten, sharedRewritten, skipped) = (0, 0, 0)
    for _ in 0..<1500 {
      let sample = TIFFSample(&generator)
      let page: TagPages =
        [.first, .all, .number(sample.pages.count)].randomElement(using: &generator) ?? .first
      let changed =
        switch page {
        case .first: [0]
        case .all: Array(sample.pages.indices)
        case .number(let number): [number - 1]
        }
      for operation in [TagOperation.set(.left), .remove, .transform(.rotate90)] {
        let outcome = try edit(sample.bytes, operation, page: page)
        guard case .rewritten(let rewrite) = outcome else {
          let code = reason(outcome)
          if code == .sharedBytes {
            skipped += 1
            #expect(sample.isShared)
          } else {
            // Why nothing changes must fit the values that the file has.
            let values = changed.map { sample.pages[$0].orientation }
            switch code {
            case .noOrientation: #expect(values.allSatisfy { $0 == nil })
            case .noOrientationEntry: #expect(values.contains(nil))
            case .unclearOrientation: #expect(Set(values).count > 1)
            default: Issue.record("\(outcome.plan.action)")
            }
          }
          continue
        }
        rewritten += 1
        if sample.isShared { sharedRewritten += 1 }
        #expect(rewrite.bytes.count == sample.bytes.count)
        for (index, part) in sample.pages.enumerated() {
          for range in part.strips + part.values {
            #expect(rewrite.bytes[range] == sample.bytes[range])
          }
          let (old, new) = (
            sample.read(index, in: sample.bytes), sample.read(index, in: rewrite.bytes)
          )
          #expect(old.entries == new.entries && old.next == new.next)
          let expected: Int? =
            switch operation {
            case _ where !changed.contains(index): old.orientation
            case .set: 8
            case .remove: nil
            case .transform:
              Orientation(rawValue: old.orientation ?? 1)?.transformed(by: .rotate90).rawValue
            }
          #expect(new.orientation == expected)
        }
        #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == sample.bytes)
      }
    }
    #expect(rewritten > 1000 && sharedRewritten > 100 && skipped > 100)
  }

  @Test func `Lists of offsets may not have more elements than the file has bytes`() throws {
    guard case .rewritten = try edit(TIFFSample.sharing(pages: 1, strips: 2000), .set(.down)) else {
      Issue.record("the sound file is not changed")
      return
    }
    let start = ContinuousClock.now
    for (pages, entries) in [(1, 4000), (256, 1)] {
      let file = TIFFSample.sharing(pages: pages, entries: entries, strips: 200_000)
      #expect(reason(try edit(file, .set(.down))) == .otherFormat)
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `Pages that begin within each other are not read without end`() throws {
    let pages = 1000
    var file = Array("MM\0*\0\0\0\u{8}".utf8)
    // Each twelve bytes are an entry of up to a thousand pages, and the beginning of another one.
    for _ in 0..<4096 { file += [0x10, 0, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6] }
    // After the entries of each page, the offset of the next one.
    for next in 1...pages {
      let offset = next < pages ? 8 + 12 * next : 0
      file += [0x10, 0] + HEIFSample.number(offset, 4) + [0, 0, 0, 0, 0, 0]
    }
    let audit = try Rewriter().audit(file)
    #expect(audit.plan.notes.contains { $0.code == .pagesNotRead })
    #expect(reason(try edit(file, .set(.down))) == .otherFormat)
  }

  @Test func `A directory that ends the file without the offset of the next is changed`() throws {
    let whole = TIFFSample(orientations: [1]).endingWithDirectory
    #expect(try reason(edit(whole, .set(.up))) == .tagAlready)
    for (operation, expected) in [
      (TagOperation.set(.right), "6"), (.remove, ""), (.transform(.rotate180), "3"),
    ] {
      let rewrite = try edit(whole, operation).rewritten()
      let tool = try Tool.run(
        "exiftool",
        ["-n", "-s3", "-IFD0:Orientation", "-"],
        input: rewrite.bytes
      )
      #expect(tool.text.prefix { $0 != "\n" } == expected)
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == whole)
    }
  }

  @Test func `A directory that is cut off is not said to have the requested tag`() throws {
    let whole = TIFFSample(orientations: [1]).endingWithDirectory
    for operation in [TagOperation.set(.right), .set(.up), .remove] {
      let outcome = try edit(Array(whole.dropLast(1)), operation)
      #expect(reason(outcome) == .exifUnreadable)
      #expect(!outcome.plan.action.rewrites)
    }
  }

  @Test func `Each page has an Orientation of its own`() throws {
    let sample = TIFFSample(orientations: [6, 1, 3])
    let rewrite = try edit(sample.bytes, .set(.left)).rewritten()
    #expect((0..<3).map { sample.read($0, in: rewrite.bytes).orientation } == [8, 1, 3])
    #expect(
      rewrite.plan.notes.map(\.text) == ["the Orientation of the other pages of the file stays"]
    )
    let second = try edit(sample.bytes, .set(.left), page: .number(2)).rewritten()
    #expect((0..<3).map { sample.read($0, in: second.bytes).orientation } == [6, 8, 3])
    #expect(second.changes.map { $0.field.rawValue } == ["exif.page-2.orientation"])
    let all = try edit(sample.bytes, .remove, page: .all).rewritten()
    #expect((0..<3).map { sample.read($0, in: all.bytes).orientation } == [nil, nil, nil])
    #expect(all.plan.notes == [])
    #expect(try reason(edit(sample.bytes, .set(.up), page: .number(4))) == .noPage)
    #expect(
      try reason(edit(Fixture.bytes("formats/exif.png"), .set(.up), page: .number(2))) == .noPage
    )
    #expect(
      try reason(edit(sample.bytes, .transform(.rotate90), page: .all)) == .unclearOrientation
    )
  }

  @Test func `The Orientation of an image and of its reduced renditions changes together`() throws {
    let sample = TIFFSample(orientations: [1, 6, nil, 3], reduced: [0, 2])
    let audit = try Rewriter().audit(sample.bytes)
    #expect(audit.facts.orientationsAgree == false)
    #expect(audit.facts.exifOrientation == 6)
    let rewrite = try edit(sample.bytes, .set(.left)).rewritten()
    #expect((0..<4).map { sample.read($0, in: rewrite.bytes).orientation } == [8, 8, nil, 3])
  }

  @Test(.requiresExifTool) func `XMP follows the tag of an image after its reduced rendition`()
    throws
  {
    let sample = TIFFSample(orientations: [6, 6], reduced: [0]).bytes
    let written = ["-n", "-XMP-tiff:Orientation=6", "-o", "-", "-"]
    let file = try Tool.run("exiftool", written, input: sample).output
    let rewrite = try edit(file, .set(.left), page: .number(2)).rewritten()
    let read = ["-n", "-s3", "-XMP-tiff:Orientation", "-"]
    #expect(try Tool.run("exiftool", read, input: rewrite.bytes).text == "8\n")
  }

  @Test func `An audit reads every page`() throws {
    for (orientations, agree, code) in [
      ([1, 6], false, Reason.Code.orientationsDisagree), ([nil, 6], false, .orientationsDisagree),
      ([6, 6], true, .otherFormat), ([1, nil], true, .upright), ([1, 1, 1], true, .upright),
    ] as [([Int?], Bool, Reason.Code)] {
      let audit = try Rewriter().audit(TIFFSample(orientations: orientations).bytes)
      #expect(audit.facts.orientationsAgree == agree, "\(orientations)")
      switch audit.plan.action {
      case .skip(let reason), .unchanged(let reason):
        #expect(reason.code == code, "\(orientations)")
      default: Issue.record("\(audit.plan.action)")
      }
    }
  }
}

extension TIFFSample {
  /// The file with a copy of its directory at its end, without the offset of the next one.
  fileprivate var endingWithDirectory: [UInt8] {
    var result = bytes
    result.replaceSubrange(4..<8, with: UInt32(bytes.count).bytes(.little))
    return result + bytes[pages[0].directory].dropLast(4)
  }
}
