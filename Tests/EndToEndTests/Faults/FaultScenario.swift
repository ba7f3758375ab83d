import Fixtures
import Testing

/// A command that writes, on a small tree, and what it promises for a second run.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  /// The effect of a second run of the command.
  enum Repetition: Sendable {
    /// Idempotent, by itself or because of a journal: it ends in the same tree.
    case idempotent
    /// Not idempotent: only files that failed are processed again.
    case repeatable
  }

  /// The command; `@` is replaced by the scratch folder.
  var arguments: [String]
  var repetition = Repetition.idempotent
  /// The command that prepares the tree for the first run.
  var preparation: [String] = []
  /// Where the results are: the folder of the photos, or that of the outputs.
  var results = "tree"
  /// Whether a second run may also refuse files that are done.
  var refusesDone = false

  init(
    _ arguments: String,
    _ repetition: Repetition = .idempotent,
    after preparation: String = "",
    results: String = "tree",
    refusesDone: Bool = false
  ) {
    self.arguments = arguments.split(separator: " ").map(String.init)
    self.repetition = repetition
    self.preparation = preparation.split(separator: " ").map(String.init)
    self.results = results
    self.refusesDone = refusesDone
  }

  var testDescription: String { arguments.joined(separator: " ") }

  /// Whether the option is there.
  func has(_ option: String) -> Bool { arguments.contains(option) }

  /// Whether the command walks the folder of its results, and removes what a killed run has left there.
  var walksResults: Bool { !has("-o") && !has("--html") }

  /// Each command that writes.
  static let all: [FaultScenario] = [
    FaultScenario("normalize -r @tree"),
    FaultScenario("normalize -r @tree --record @record --sidecars update"),
    FaultScenario("normalize -r @tree --backup .orig --sidecars update --journal @journal"),
    FaultScenario("normalize -r @tree --backup .orig --record @record --journal @journal"),
    FaultScenario(
      "normalize -r @tree --output-dir @out --sidecars update --record @record",
      results: "out"
    ),
    FaultScenario("normalize @tree/a.jpg -o @out.jpg --sidecars update", results: "out.jpg"),
    FaultScenario("rotate 90 -r @tree", .repeatable),
    FaultScenario("rotate 90 -r @tree --record @record --journal @journal"),
    FaultScenario(
      "rotate 90 -r @tree --journal @journal",
      after: "rotate 90 -r @tree --journal @journal"
    ),
    FaultScenario(
      "flip horizontal -r @tree --backup .orig --journal @journal",
      refusesDone: true
    ),
    FaultScenario(
      "crop 8x8+0+0 -r @tree --backup .orig --journal @journal --sidecars update",
      refusesDone: true
    ),
    FaultScenario("tag set 3 -r @tree --record @record --sidecars update"),
    FaultScenario(
      "undo -r --record @record @tree",
      after: "normalize -r @tree --record @record --sidecars update"
    ),
    FaultScenario(
      "undo -r --record @record --output-dir @out @tree",
      after: "normalize -r @tree --record @record --sidecars update",
      results: "out"
    ),
    FaultScenario("audit @tree --html @page.html", results: "page.html"),
  ]

  /// The files before everything: a photo with two sidecars, one that is re-encoded, one with further images in a
  /// folder of its own, and one that is upright.
  static func originals() throws -> Snapshot {
    [
      "tree/a.jpg": .original(try Fixture.bytes(rotatedFixture)),
      "tree/a.jpg.xmp": .original(try sidecar(rotatedFixture)),
      "tree/a.xmp": .original(try sidecar(rotatedFixture)),
      "tree/b.jpg": .original(try Fixture.bytes("unaligned/17x13-tag-6.jpg")),
      "tree/c/d.jpg": .original(try Fixture.bytes("multi-picture/gain-map-mm.jpg")),
      "tree/e.jpg": .original(try Fixture.bytes(uprightFixture)),
    ]
  }

  /// A sidecar with the same Orientation as the photo.
  static func sidecar(_ fixture: String) throws -> [UInt8] {
    let orientation = Fixture.all.first { $0.path == fixture }?.orientation ?? 1
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="\(orientation)"/>\
      </rdf:RDF></x:xmpmeta>
      """
    return Array(packet.utf8)
  }
}
