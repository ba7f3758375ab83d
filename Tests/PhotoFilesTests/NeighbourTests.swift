import Fixtures
import Foundation
import ImageOrientation
import PhotoFiles
import Reports
import Testing
import Upright

/// Files of other programs beside photos.
struct NeighbourTests {
  private let scratch: Scratch
  private let run = FileRun()

  init() throws { scratch = try Scratch() }

  private func photo(_ name: String) throws -> String {
    try scratch.copy(rotatedFixture, as: name)
  }

  private func text(_ content: String, _ name: String) throws {
    try scratch.write(Array(content.utf8), to: name)
  }

  private static func history(_ operation: String) -> String {
    #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/"><darktable:history><rdf:Seq>"#
      + #"<rdf:li darktable:operation="\#(operation)"/></rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>"#
  }

  private static let worldFile = String(decoding: Sidecars.worldFile, as: UTF8.self)

  /// Files beside `a.jpg`, with their content and the reason to skip the photo.
  private static let skipped: [(String, String, Reason.Code)] = [
    ("a.AAE", "<key>adjustmentData</key>", .neighbourEdit),
    ("a.aae", "<key>adjustmentData</key>", .neighbourEdit),
    (".picasa.ini", "[A.JPG]\r\nrotate=rotate(1)\r\n", .neighbourEdit),
    (".picasa.ini", "[a.jpg]\nfilters=crop64=1,2000;\n[b.jpg]\n", .neighbourEdit),
    ("a.jpg.xmp", history("crop"), .neighbourEdit),
    ("a.jgw", worldFile, .neighbourMap), ("a.WLD", worldFile, .neighbourMap),
    ("a.jpg.aux.xml", "<PAMDataset><GeoTransform>1</GeoTransform>", .neighbourMap),
    ("a.jpg.points", "1", .neighbourMap),
    ("a_01.jpg.xmp", history("crop"), .neighbourEdit),
    ("a_112.jpg.xmp", history("clipping"), .neighbourEdit),
    ("Picasa.ini", "[b.jpg]\nstar=yes\n[a.jpg]\ncrop=rect64(1)\n", .neighbourEdit),
    (".picasa.ini", "\u{FEFF}[a.jpg]\ncrop=rect64(1)\n", .neighbourEdit),
    ("a.jgw", "\u{FEFF}" + worldFile, .neighbourMap),
    ("a.tab", "!table\nType \"RASTER\"\n(0,0) (0,0) Label \"1\"", .neighbourMap),
    ("a.map", "OziExplorer Map Data File Version 2.2\n", .neighbourMap),
  ]

  @Test(arguments: skipped)
  func `A photo whose edit or map would be wrong is skipped, also by an audit`(
    name: String,
    content: String,
    reason: Reason.Code
  ) throws {
    let photo = try photo("tree/a.jpg")
    try text(content, "tree/\(name)")
    let before = try scratch.read("tree/a.jpg")
    // A world file is updated otherwise.
    let report = run.with(\.policy.sidecars, .report)
    for result in [
      try report.audit(photo), try report.audit(scratch.path("tree")), try report.plan(photo),
      try report.rewrite(photo), try report.with(\.request, .rotate90).rewrite(photo),
    ] {
      #expect(result.reasons == [reason])
      #expect(result.verdict == .skipped)
    }
    #expect(try scratch.read("tree/a.jpg") == before)
    // What is beside the original stays there.
    let output = run.with(\.output, .file(scratch.path("out.jpg")))
    #expect(try output.rewrite(photo).verdict == .done)
    let ignoring = try run.with(\.policy.sidecars, .ignore).rewrite(photo)
    #expect(ignoring.statuses == [.normalized])
  }

  @Test(arguments: [
    ("a.AAE", "no edit"), (".picasa.ini", "[a.jpg]\nrotate=rotate(0)\nstar=yes\n[b.jpg]\ncrop=1\n"),
    (".picasa.ini", "[a.jpg]\nfilters=enhance=1;\n"),
    ("a.jpg.xmp", history("exposure")), ("a.jpg.aux.xml", "<PAMDataset/>"),
    ("a.txt", "a caption"), ("a.json", "{}"), ("a.xml", "<x/>"), ("a.jpg.pp3", "[Exposure]"),
    ("a.MOV", ""), ("a.CR2", ""), ("ab.jgw", worldFile), ("a.wld", "a level of a game"),
    ("a_1.jpg.xmp", history("exposure")),
    ("b_01.jpg.xmp", history("crop")), ("a.tab", "Type \"NATIVE\""),
    ("a.jpg.rrdata", #"{"adjustments":{"crop":null,"rotation":0,"masks":[],"exposure":1}}"#),
    ("a.jpg.arp", "[Crop]\nEnabled=false\n[Rotation]\nDegree=0\n"),
    ("labels/a.txt", "0 0.5 0.5 1 1"),
    ("NKSC_PARAM/b.jpg.nksc", ""),
  ])
  func `A file that does not concern the stored image is not named`(
    name: String,
    content: String
  ) throws {
    let photo = try photo("a.jpg")
    try text(content, name)
    let report = try run.rewrite(photo).only
    #expect(report.status == .normalized)
    #expect(report.plan?.notes.isEmpty == true)
    #expect(report.companions.allSatisfy { $0.cause == .fits })
  }

  /// Files beside `images/a.jpg`, with their content and what the report says of them.
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
    for result in [
      try run.audit(photo), try run.audit(scratch.path("set")), try run.rewrite(photo),
    ] {
      #expect(result.verdict == .done)
      let companions = try result.only.companions
      #expect(companions.map(\.name) == [kind])
      #expect(companions.map(\.cause) == [.mayBeOutdated])
    }
  }

  @Test func `The raw file of a Pixel is named if the displayed image changes, and is a pair`()
    throws
  {
    let photo = try photo("PXL_1.RAW-01.COVER.jpg")
    try text("", "PXL_1.RAW-02.ORIGINAL.dng")
    let notes = try #require(try run.audit(photo).only.plan?.notes)
    #expect(notes.contains { $0.text.contains("a pair with PXL_1.RAW-02.ORIGINAL.dng") })
    let result = try run.with(\.request, .rotate90).rewrite(photo).only
    let companion = try #require(result.companion("PXL_1.RAW-02.ORIGINAL.dng"))
    #expect(companion.name == "raw file" && companion.cause == .sameShot)
  }

  @Test(arguments: ["IMG.AAE", ".picasa.ini", "IMG.jpg.xmp", "IMG_01.jpg.xmp"])
  func `A large file beside a photo is read to its end`(name: String) throws {
    let photo = try photo("IMG.jpg")
    let space = String(repeating: " ", count: 5 << 20)
    let content = [
      "IMG.AAE": space + "adjustmentData",
      ".picasa.ini": "[x]\n\(space)\n[IMG.jpg]\ncrop=rect64(1)\n",
    ]
    try text(content[name] ?? Self.history("crop") + space, name)
    #expect(try run.rewrite(photo).reasons == [.neighbourEdit])
  }

  @Test func `A file beside a photo that is too large to be read is a reason to skip the photo`()
    throws
  {
    let photo = try photo("IMG.jpg")
    try text("", "IMG.AAE")
    let file = try #require(FileHandle(forWritingAtPath: scratch.path("IMG.AAE")))
    try file.truncate(atOffset: 17 << 20)
    let result = try run.rewrite(photo)
    #expect(result.verdict == .skipped)
    let reason = try #require(try result.only.reason)
    #expect(reason.description.contains("is too large to find out whether it concerns the photo"))
    #expect(reason.remedies.map(\.step) == [.policy("sidecars", "ignore")])
  }

  @Test func `A list of Picasa in UTF-16 is read, and again after it changed`() throws {
    let photo = try photo("ä.jpg")
    for bigEndian in [true, false] {
      for (line, status) in [("star=yes", Status.planned), ("crop=1", .skipped)] {
        let units = Array("\u{FEFF}[Ä.JPG]\r\n\(line)\r\n".utf16)
        let bytes = units.flatMap { unit in
          let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
          return bigEndian ? pair : pair.reversed()
        }
        try scratch.write(bytes, to: ".picasa.ini")
        #expect(try run.plan(photo).statuses == [status])
      }
    }
  }

  @Test func `What shows the same is named if the displayed image changes`() throws {
    let photo = try photo("a.jpg")
    try text("", "a.MOV")
    try text("", "a.CR2")
    // A normalization does not change it; a crop does.
    let crop = Request.crop(PixelRectangle(x: 0, y: 0, width: 16, height: 16))
    for request in [crop, .rotate90] {
      let companions = try run.with(\.request, request).rewrite(photo).only.companions
      #expect(companions.map(\.cause) == [.sameShot, .sameShot], "\(request)")
    }
  }

  @Test func `The video of a motion photo is named if the displayed image changes`() throws {
    let photo = try scratch.copy("multi-picture/video.jpg", as: "a.jpg")
    func namesVideo(_ run: FileRun) throws -> Bool {
      let notes = try #require(try run.rewrite(photo).only.plan?.notes)
      return notes.contains {
        $0.text.contains("the video of the motion photo is not changed with it")
      }
    }
    #expect(try !namesVideo(run.with(\.output, .file(scratch.path("b.jpg")))))
    #expect(try namesVideo(run.with(\.request, .rotate90)))
  }
}
