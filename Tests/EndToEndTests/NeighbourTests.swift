import Fixtures
import Foundation
import Testing

/// Files of other programs beside photos.
struct NeighbourTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func photo(_ name: String) throws -> String {
    try scratch.copy(rotatedFixture, as: name)
  }

  private func text(_ content: String, _ name: String) throws {
    try scratch.write(Array(content.utf8), to: name)
  }

  private static let history =
    #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
    + #"<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/"><darktable:history><rdf:Seq>"#
    + #"<rdf:li darktable:operation="NAME"/></rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>"#

  private static let worldFile = String(decoding: Sidecars.worldFile, as: UTF8.self)

  /// Files beside `a.jpg`, with their content and the reason to skip the photo.
  private static let skipped = [
    ("a.AAE", "<key>adjustmentData</key>", "neighbour-edit"),
    ("a.aae", "<key>adjustmentData</key>", "neighbour-edit"),
    (".picasa.ini", "[A.JPG]\r\nrotate=rotate(1)\r\n", "neighbour-edit"),
    (".picasa.ini", "[a.jpg]\nfilters=crop64=1,2000;\n[b.jpg]\n", "neighbour-edit"),
    ("a.jpg.xmp", history.replacing("NAME", with: "crop"), "neighbour-edit"),
    ("a.jgw", worldFile, "neighbour-map"), ("a.WLD", worldFile, "neighbour-map"),
    ("a.jpg.aux.xml", "<PAMDataset><GeoTransform>1</GeoTransform>", "neighbour-map"),
    ("a.jpg.points", "1", "neighbour-map"),
    ("a_01.jpg.xmp", history.replacing("NAME", with: "crop"), "neighbour-edit"),
    ("a_112.jpg.xmp", history.replacing("NAME", with: "clipping"), "neighbour-edit"),
    ("Picasa.ini", "[b.jpg]\nstar=yes\n[a.jpg]\ncrop=rect64(1)\n", "neighbour-edit"),
    (".picasa.ini", "\u{FEFF}[a.jpg]\ncrop=rect64(1)\n", "neighbour-edit"),
    ("a.jgw", "\u{FEFF}" + worldFile, "neighbour-map"),
    ("a.tab", "!table\nType \"RASTER\"\n(0,0) (0,0) Label \"1\"", "neighbour-map"),
    ("a.map", "OziExplorer Map Data File Version 2.2\n", "neighbour-map"),
  ]

  @Test(arguments: skipped)
  func `A photo whose edit or map would be wrong is skipped, also by an audit`(
    name: String,
    content: String,
    reason: String
  ) throws {
    let photo = try photo("tree/a.jpg")
    try text(content, "tree/\(name)")
    let before = try scratch.read("tree/a.jpg")
    // A world file is updated otherwise.
    let ndjson = ["--sidecars", "report", "--format", "ndjson"]
    for arguments in [
      ["audit", photo], ["audit", scratch.path("tree")], ["normalize", "-n", photo],
      ["normalize", photo], ["rotate", "90", photo],
    ] {
      let result = try upright(arguments + ndjson)
      #expect(try result.json().map(\.reason?.id) == [reason], "\(arguments)")
      #expect(result.status == 1)
    }
    #expect(try scratch.read("tree/a.jpg") == before)
    // What is beside the original stays there.
    let output = scratch.path("out.jpg")
    #expect(try upright(["normalize", photo, "-o", output]).status == 0)
    let ignore = ["--sidecars", "ignore", "--format", "ndjson"]
    let ignoring = try upright(["normalize", photo] + ignore)
    #expect(try ignoring.json().map(\.status) == ["normalized"])
  }

  @Test(arguments: [
    ("a.AAE", "no edit"), (".picasa.ini", "[a.jpg]\nrotate=rotate(0)\nstar=yes\n[b.jpg]\ncrop=1\n"),
    (".picasa.ini", "[a.jpg]\nfilters=enhance=1;\n"),
    ("a.jpg.xmp", history.replacing("NAME", with: "exposure")), ("a.jpg.aux.xml", "<PAMDataset/>"),
    ("a.txt", "a caption"), ("a.json", "{}"), ("a.xml", "<x/>"), ("a.jpg.pp3", "[Exposure]"),
    ("a.MOV", ""), ("a.CR2", ""), ("ab.jgw", worldFile), ("a.wld", "a level of a game"),
    ("a_1.jpg.xmp", history.replacing("NAME", with: "exposure")),
    ("b_01.jpg.xmp", history.replacing("NAME", with: "crop")), ("a.tab", "Type \"NATIVE\""),
    ("a.jpg.rrdata", #"{"adjustments":{"crop":null,"rotation":0,"masks":[],"exposure":1}}"#),
    ("a.jpg.arp", "[Crop]\nEnabled=false\n[Rotation]\nDegree=0\n"),
    ("labels/a.txt", "0 0.5 0.5 1 1"),
    ("NKSC_PARAM/b.jpg.nksc", ""),
  ])
  func `A file that does not concern the stored image is not named`(
    name: String,
    content: String
  )
    throws
  {
    let photo = try photo("a.jpg")
    try text(content, name)
    let line = try #require(try upright(["normalize", "--format", "ndjson", photo]).json().first)
    #expect(line.status == "normalized")
    #expect(line.notes == nil, "\(line.notes ?? [])")
  }

  /// Files beside `images/a.jpg`, with their content and what the note says of them.
  private static let noted = [
    ("a.jpg.rrdata", #"{"adjustments":{"crop": {"x":1},"rotation":0}}"#, "edit of RapidRAW"),
    ("a.jpg.rrdata", #"{"adjustments":{"orientationSteps":1}}"#, "edit of RapidRAW"),
    ("a.jpg.rrdata", #"{"adjustments":{"masks":[ {"id":1}]}}"#, "edit of RapidRAW"),
    ("a.jpg.arp", "[Crop]\r\nEnabled=true\r\n", "edit of ART"),
    ("a.jpg.pp3", "[Coarse Transformation]\nRotate=90\n", "edit of RawTherapee"),
    ("NKSC_PARAM/a.jpg.nksc", "", "edit of Nikon NX Studio"),
    ("CaptureOne/Settings160/a.jpg.cos", "", "edit of Capture One"),
    ("a.vrd", "", "recipe of Canon DPP"), ("a.jpg.ovr", "", "overview or mask of GDAL"),
    ("../labels/a.txt", "0 0.5 0.5 0.25 0.25\n", "label file"),
    ("a.pts", "version: 1\nn_points: 68\n{", "label file"),
  ]

  @Test(arguments: noted)
  func `A file that may describe the stored image is named`(
    name: String,
    content: String,
    kind: String
  ) throws {
    let photo = try photo("set/images/a.jpg")
    try text(content, "set/images/\(name)")
    for arguments in [["audit", "-v", photo], ["audit", "-v", scratch.path("set")]] {
      let audit = try upright(arguments)
      #expect((audit.text + audit.errorText).contains("the \(kind) "), "\(arguments)")
    }
    let folder = scratch.path("set/images")
    let done = try upright(["normalize", "-v", "a.jpg"], in: folder)
    #expect(done.status == 0)
    #expect(done.text.contains("note: the \(kind) "), "\(done.text)")
  }

  @Test func `The raw file of a Pixel is named if the displayed image changes, and is a pair`()
    throws
  {
    let photo = try photo("PXL_1.RAW-01.COVER.jpg")
    try text("", "PXL_1.RAW-02.ORIGINAL.dng")
    let audit = try #require(try upright(["audit", "--format", "ndjson", photo]).json().first)
    #expect(audit.notes?.contains { $0.contains("a pair with PXL_1.RAW-02.ORIGINAL.dng") } == true)
    let result = try upright(["rotate", "90", photo])
    #expect(
      result.text.contains("the raw file") && result.text.contains("ORIGINAL.dng is not changed")
    )
  }

  @Test(arguments: ["IMG.AAE", ".picasa.ini", "IMG.jpg.xmp", "IMG_01.jpg.xmp"])
  func `A large file beside a photo is read to its end`(name: String) throws {
    let photo = try photo("IMG.jpg")
    let space = String(repeating: " ", count: 5 << 20)
    let content = [
      "IMG.AAE": space + "adjustmentData",
      ".picasa.ini": "[x]\n\(space)\n[IMG.jpg]\ncrop=rect64(1)\n",
    ]
    try text(content[name] ?? Self.history.replacing("NAME", with: "crop") + space, name)
    let result = try upright(["normalize", "--format", "ndjson", photo])
    #expect(try result.json().first?.reason?.id == "neighbour-edit")
  }

  @Test func `A file beside a photo that is too large to be read is a reason to skip the photo`()
    throws
  {
    let photo = try photo("IMG.jpg")
    try text("", "IMG.AAE")
    let file = try #require(FileHandle(forWritingAtPath: scratch.path("IMG.AAE")))
    try file.truncate(atOffset: 17 << 20)
    let result = try upright(["normalize", photo])
    #expect(result.status == 1)
    #expect(result.text.contains("is too large to find out whether it concerns the photo"))
    #expect(result.text.contains("--sidecars ignore"))
  }

  @Test func `A list of Picasa in UTF-16 is read, and again after it changed`() throws {
    let photo = try photo("ä.jpg")
    for bigEndian in [true, false] {
      for (line, status) in [("star=yes", "planned"), ("crop=1", "skipped")] {
        let units = Array("\u{FEFF}[Ä.JPG]\r\n\(line)\r\n".utf16)
        let bytes = units.flatMap { unit in
          let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
          return bigEndian ? pair : pair.reversed()
        }
        try scratch.write(bytes, to: ".picasa.ini")
        let lines = try upright(["normalize", "-n", "--format", "ndjson", photo]).json()
        #expect(lines.map(\.status) == [status])
      }
    }
  }

  @Test(arguments: ["AAE", "jgw", "xmp"])
  func `A companion that is made while the run goes on is seen`(ending: String) throws {
    // The first photos keep the only thread busy until the companion is there.
    for number in 10..<20 { _ = try photo("tree/\(number).jpg") }
    let photo = try photo("tree/z.jpg")
    let content = [
      "AAE": "adjustmentData", "jgw": Self.worldFile,
      "xmp": String(decoding: Sidecars.packet(6), as: UTF8.self),
    ]
    let record = scratch.path("record")
    let run = try Tool.run(
      uprightBinary,
      ["normalize", "-r", "-j1", "--record", record, "--format", "ndjson", scratch.path("tree")],
      environment: ["UPRIGHT_SLOW": "3000"],
      preloaded: SlowStorage.library
    ) { _ in
      for _ in 0..<10_000 where !scratch.exists("record") { Thread.sleep(forTimeInterval: 0.001) }
      _ = try? text(content[ending] ?? "", "tree/z.\(ending)")
    }
    let line = try #require(try run.json().first { $0.path == photo })
    switch ending {
    case "xmp": #expect(line.companion("z.xmp")?.done == true)
    case "jgw": #expect(line.companion("z.jgw")?.done == true)
    default: #expect(line.status == "skipped")
    }
  }

  @Test func `Other files are counted by kind once, and listed on request`() throws {
    for name in ["a", "b", "c"] { _ = try photo("tree/\(name).jpg") }
    try text("0 0.5 0.5 0.25 0.25\n", "tree/a.txt")
    try text("<annotation><object><bndbox>", "tree/b.xml")
    try text("[Crop]\nEnabled=true\n", "tree/c.jpg.pp3")
    try text("[c.jpg]\nfaces=rect64(1),2;\n", "tree/.picasa.ini")
    let tree = scratch.path("tree")
    let counted =
      "files beside the photos that are not changed with them (-v lists them): "
      + "label file (2), edit of RawTherapee (1), list of faces of Picasa (1)"
    #expect(try upright(["audit", tree]).text.contains(counted))
    let audit = try upright(["audit", "-v", tree])
    #expect(audit.errorText.contains("a.jpg: the label file"))
    let lines = try upright(["audit", "--format", "ndjson", tree]).json()
    #expect(lines.map(\.companions?.count) == [1, 1, 2])
    #expect(lines.flatMap { $0.companions ?? [] }.allSatisfy { $0.reason == "may-be-outdated" })
    let done = try upright(["normalize", "-r", tree])
    #expect(done.text.contains(counted))
    #expect(!done.text.contains("note:"))
  }

  @Test func `What shows the same is named if the displayed image changes`() throws {
    let photo = try photo("a.jpg")
    try text("", "a.MOV")
    try text("", "a.CR2")
    // A normalization does not change it; a crop does.
    for command in [["crop", "16x16+0+0", "--backup", ".orig"], ["rotate", "90"]] {
      let result = try upright(command + ["--format", "ndjson", photo])
      let companions = try #require(try result.json().first?.companions)
      #expect(companions.map(\.reason) == ["same-shot", "same-shot"], "\(command)")
    }
  }

  @Test func `The video of a motion photo is named if the displayed image changes`() throws {
    let photo = try scratch.copy("multi-picture/video.jpg", as: "a.jpg")
    let text = "the video of the motion photo is not changed with it"
    let output = scratch.path("b.jpg")
    #expect(try !upright(["normalize", photo, "-o", output]).text.contains(text))
    #expect(try upright(["rotate", "90", photo]).text.contains(text))
  }

  @Test func `A kept subject area is counted once, and named on request`() throws {
    let fixture = "regions/subject-area-2.jpg"
    let photo = try scratch.copy(fixture, as: "a.jpg")
    let result = try upright(["normalize", "-n", photo])
    #expect(!result.text.contains("note: kept, but they describe"))
    #expect(result.text.contains("subject areas in Exif in 1 file: --regions follow"))
    let verbose = try upright(["normalize", "-n", "-v", photo])
    #expect(verbose.text.contains("note: kept, but they describe"))
    let notes = try upright(["normalize", "-n", "--format", "ndjson", photo]).json().first?.notes
    #expect(notes?.contains { $0.contains("SubjectArea") } == true)
  }

  // MARK: World files

  /// The coordinates of the center of a pixel.
  private func coordinates(_ file: [UInt8], _ column: Int, _ row: Int) throws -> [Double] {
    let n = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { Double($0) }
    try #require(n.count == 6)
    return [
      n[0] * Double(column) + n[2] * Double(row) + n[4],
      n[1] * Double(column) + n[3] * Double(row) + n[5],
    ]
  }

  @Test(arguments: 2...8)
  func `A world file is updated and restored with its photo`(tag: Int) throws {
    let original = Array(Self.worldFile.utf8)
    let photo = try scratch.copy("orientation/aligned-\(tag).jpg", as: "a.jpg")
    try text(Self.worldFile, "a.jgw")
    let before = try scratch.read("a.jpg")
    let record = scratch.path("record")
    let arguments = ["normalize", "--sidecars", "update", "--record", record]
    #expect(try upright(arguments + ["-n", photo]).text.contains("a.jgw will be updated"))
    #expect(try scratch.read("a.jgw") == original)
    #expect(try upright(arguments + [photo]).text.contains("the sidecar"))
    let new = try scratch.read("a.jgw")
    // Where the first and the last stored pixel of 96×64 are displayed (Exif 3.0, 4.6.5.1.6).
    let places: [Int: (first: (Int, Int), last: (Int, Int))] = [
      2: ((95, 0), (0, 63)), 3: ((95, 63), (0, 0)), 4: ((0, 63), (95, 0)), 5: ((0, 0), (63, 95)),
      6: ((63, 0), (0, 95)), 7: ((63, 95), (0, 0)), 8: ((0, 95), (63, 0)),
    ]
    let (first, last) = try #require(places[tag])
    #expect(try coordinates(new, first.0, first.1) == coordinates(original, 0, 0))
    #expect(try coordinates(new, last.0, last.1) == coordinates(original, 95, 63))
    #expect(try upright(["undo", "--record", record]).status == 0)
    #expect(try scratch.read("a.jgw") == original)
    #expect(try scratch.read("a.jpg") == before)
  }

  @Test func `An output gets a world file of its own on request`() throws {
    let photo = try photo("a.jpg")
    try text(Self.worldFile, "a.wld")
    let report = ["--sidecars", "report", "--output-dir", scratch.path("one")]
    let silent = try upright(["normalize", photo] + report)
    #expect(silent.text.contains("the world file") && silent.text.contains("--sidecars update"))
    #expect(throws: (any Error).self) { try scratch.read("one/a.wld") }
    let arguments = ["--output-dir", scratch.path("two"), "--sidecars", "update"]
    #expect(try upright(["normalize", photo] + arguments).status == 0)
    #expect(try scratch.read("a.wld") == Array(Self.worldFile.utf8))
    let new = try coordinates(scratch.read("two/a.wld"), 63, 0)
    #expect(try new == coordinates(scratch.read("a.wld"), 0, 0))
  }

  @Test func `An output gets an XMP and a world file, and both are restored with it`() throws {
    let photo = try photo("in/a.jpg")
    try text(Self.worldFile, "in/a.jgw")
    try scratch.write(Sidecars.packet(6), to: "in/a.jpg.xmp")
    let report = ["--sidecars", "report", "--output-dir", scratch.path("one")]
    let silent = try upright(["normalize", photo] + report).text
    #expect(silent.contains("the sidecar") && silent.contains("the world file"), "\(silent)")
    let record = scratch.path("record")
    let output = ["--output-dir", scratch.path("two"), "--record", record, "--sidecars", "update"]
    let planned = try upright(["normalize", "-n", photo] + output).text
    #expect(planned.contains("a.jpg.xmp will be updated"), "\(planned)")
    #expect(planned.contains("a.jgw will be updated"), "\(planned)")
    let done = try upright(["normalize", photo] + output)
    #expect(done.status == 0)
    for name in ["a.jpg.xmp", "a.jgw"] {
      #expect(done.text.contains("updated sidecar: \(scratch.path("two/\(name)"))"), "\(done.text)")
    }
    #expect(Sidecars.orientation(try scratch.read("two/a.jpg.xmp")) == "1")
    let new = try coordinates(scratch.read("two/a.jgw"), 63, 0)
    #expect(try new == coordinates(Array(Self.worldFile.utf8), 0, 0))
    let undone = try upright(["undo", "-r", "--record", record, scratch.path("two")])
    #expect(undone.status == 0, "\(undone.text)")
    for name in ["a.jpg", "a.jgw", "a.jpg.xmp"] {
      #expect(try scratch.read("two/\(name)") == scratch.read("in/\(name)"), "\(name)")
    }
  }

  @Test func `A world file that two photos may share is not updated`() throws {
    let photos = try ["a.jpg", "a.jpeg"].map { try photo($0) }
    try text(Self.worldFile, "a.wld")
    for policy in ["report", "update"] {
      let result = try upright(["normalize", "--sidecars", policy, "--format", "ndjson"] + photos)
      let reasons = try result.json().compactMap(\.reason)
      #expect(reasons.map(\.id) == ["neighbour-map", "neighbour-map"])
      #expect(reasons.first?.text.contains("a.jpeg") == true)
      #expect(reasons.allSatisfy { $0.remedies?.map(\.value) == ["ignore"] })
    }
    #expect(try scratch.read("a.wld") == Array(Self.worldFile.utf8))
  }

  @Test(arguments: ["1e14", "900000000000000"])
  func `A photo whose world file would get a number that is too large is skipped`(
    number: String
  ) throws {
    let photo = try photo("a.jpg")
    let content = "\(number)\n0\n0\n-\(number)\n0\n0\n"
    try text(content, "a.jgw")
    let ndjson = ["normalize", "--format", "ndjson", photo]
    for arguments in [["-n"], []] {
      let result = try upright(ndjson + ["--sidecars", "update"] + arguments)
      #expect(result.status == 1)
      let reason = try #require(try result.json().first?.reason)
      #expect(reason.id == "sidecar-unreadable" && reason.text.contains("a.jgw: "))
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("a.jgw") == Array(content.utf8))
    // It does not concern an output elsewhere that gets none.
    let report = ["--sidecars", "report", "--output-dir", scratch.path("out")]
    let line = try upright(ndjson + report).json().first
    #expect(line?.status == "normalized" && line?.companion("a.jgw")?.reason == "unreadable")
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path(name),
      withDestinationPath: target
    )
  }

  @Test(arguments: ["a.jgw", "common"])
  func `A world file that photos share through a link is not updated with those that have the link`(
    target: String
  ) throws {
    let photos = try ["a", "b", "c"].map { try photo("\($0).jpg") }
    try text(Self.worldFile, target)
    for name in ["a.jgw", "b.jgw", "c.jgw"] where name != target { try link(name, to: target) }
    let update = ["normalize", "--sidecars", "update", "--format", "ndjson"]
    for _ in 1...2 {
      let lines = try upright(update + photos).json()
      #expect(lines.map(\.reason?.id).suffix(2) == ["neighbour-map", "neighbour-map"])
      let reason = try #require(lines.last?.reason)
      #expect(reason.text.contains(", and is a link to \(scratch.path(target))"))
      #expect(reason.remedies?.map(\.value) == ["ignore"])
    }
    let isOwn = target == "a.jgw"
    let first = try coordinates(scratch.read(target), isOwn ? 63 : 0, 0)
    #expect(try first == coordinates(Array(Self.worldFile.utf8), 0, 0))
  }

  @Test func `A world file elsewhere is not updated through links of its name`() throws {
    try scratch.write(Array(Self.worldFile.utf8), to: "common/a.jgw")
    let photos = try ["one", "two"].map { folder in
      let path = try photo("\(folder)/a.jpg")
      try link("\(folder)/a.jgw", to: "../common/a.jgw")
      return path
    }
    let result = try upright(["normalize", "--sidecars", "update", "--format", "ndjson"] + photos)
    #expect(try result.json().compactMap(\.reason?.id) == ["neighbour-map", "neighbour-map"])
    #expect(try scratch.read("common/a.jgw") == Array(Self.worldFile.utf8))
  }

  @Test func `Two names of one world file are those of one`() throws {
    let photo = try photo("a.jpg")
    try text(Self.worldFile, "a.wld")
    try link("a.jgw", to: "a.wld")
    #expect(try upright(["normalize", "--sidecars", "update", photo]).status == 0)
    let new = try coordinates(scratch.read("a.wld"), 63, 0)
    #expect(try new == coordinates(Array(Self.worldFile.utf8), 0, 0))
  }

  @Test func `A link to the world file of the photo that a link leads to is updated`() throws {
    _ = try photo("real/a.jpg")
    try text(Self.worldFile, "real/a.jgw")
    try scratch.write([], to: "links/x")
    for ending in ["jpg", "jgw"] { try link("links/1.\(ending)", to: "../real/a.\(ending)") }
    let update = ["normalize", "--sidecars", "update", scratch.path("links/1.jpg")]
    for _ in 1...2 { #expect(try upright(update).status == 0) }
    let new = try coordinates(scratch.read("real/a.jgw"), 63, 0)
    #expect(try new == coordinates(Array(Self.worldFile.utf8), 0, 0))
  }
}
