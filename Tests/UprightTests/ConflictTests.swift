import Fixtures
import Testing
import Upright

struct ConflictTests {
  @Test(arguments: [
    ("dimensions-tag-6", [TagEvidence.Kind.dimensionsSwapped]),
    ("thumbnail-tag-8", [.thumbnailSwapped]),
    ("dimensions-and-thumbnail-tag-5", [.dimensionsSwapped, .thumbnailSwapped]),
    ("resized-thumbnail", [.dimensionsShape, .thumbnailShape]),
    ("cropped-thumbnail", [.dimensionsShape, .thumbnailShape]),
    ("cropped-software", [.dimensionsShape, .software]),
    ("thumbnail-landscape", [.thumbnailShape]),
    ("thumbnail-software", [.thumbnailShape, .software]),
    ("panorama", [.panorama]), ("panorama-thumbnail", [.panorama]),
  ])
  func `Each kind of evidence of a stale tag is named`(
    name: String,
    kinds: [TagEvidence.Kind]
  ) throws {
    let bytes = try Fixture.bytes("conflict/\(name).jpg")
    let plan = try #require(try Normalizer().plan(beginning: bytes))
    guard case .skip(let reason) = plan.action else {
      Issue.record("\(plan.action)")
      return
    }
    #expect(reason.code == .conflict)
    #expect(reason.evidence.map(\.kind) == kinds)
    for evidence in reason.evidence { #expect(reason.explanation.contains(evidence.text)) }
  }

  @Test(arguments: [
    ("believed-thumbnail", "Exif gives 64×96 pixels, the image is 96×64"),
    ("believed-resized", nil), ("believed-resized-alone", nil),
    ("believed-panorama", "Exif gives 64×128 pixels, the image is 128×64"),
    ("believed-cropped", nil), ("believed-software", nil), ("believed-thumbnail-shape", nil),
  ])
  func `A tag with more evidence for it is trusted, and a note gives the evidence against it`(
    name: String,
    evidence: String?
  ) throws {
    let bytes = try Fixture.bytes("conflict/\(name).jpg")
    let plan = try #require(try Normalizer().plan(beginning: bytes))
    #expect(plan.action.rewrites)
    let note = plan.notes.first { $0.contains("the tag is trusted") }
    #expect((note != nil) == (evidence != nil))
    if let evidence, let note { #expect(note.hasPrefix(evidence)) }
  }
}
