import Fixtures
import Foundation
import Testing

/// Camera raw files, videos and pairs in the audit.
struct CameraRawTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Report: Decodable {
    struct Reason: Decodable { var id: String }
    struct Facts: Decodable {
      var formatOrientation: Int?
      var exifOrientation: Int?
      var orientationsAgree: Bool?
    }

    var path: String
    var status: String
    var reason: Reason?
    var companions: [Line.Companion]?
    var facts: Facts?
    var format: String?
    var width: Int?
    var height: Int?
    var pairedWith: [String]?
    var sidecar: String?
  }

  private func audit(_ path: String) throws -> [String: Report] {
    let result = try upright(["audit", "--format", "ndjson", path])
    var reports: [String: Report] = [:]
    for line in result.lines {
      let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
      reports[URL(filePath: report.path).lastPathComponent] = report
    }
    return reports
  }

  private struct Stated: Decodable {
    var orientation: Int?
    var rotation: Int?
    var size: String?

    enum CodingKeys: String, CodingKey {
      case orientation = "Orientation"
      case rotation = "Rotation"
      case size = "ImageSize"
    }
  }

  /// The names of the fixtures, and of their formats in reports.
  static let raws = [
    "nikon.nef": "nef", "plain.nef": "nef", "sony.arw": "arw", "pentax.pef": "pef",
    "samsung.srw": "srw", "hasselblad.3fr": "raw", "canon.cr2": "cr2", "olympus.orf": "orf",
    "panasonic.rw2": "rw2", "fujifilm.raf": "raf", "canon.cr3": "cr3",
    "minolta.mrw": "mrw",
  ]

  @Test(arguments: raws.keys.sorted())
  func `A camera raw file has the Orientation that exiftool reads in IFD0`(name: String) throws {
    let path = try scratch.copy("formats/\(name)", as: name)
    let report = try #require(try audit(path)[name])
    let arguments = ["-n", "-j", "-IFD0:Orientation", "-ImageSize", path]
    let text = try Tool.run("exiftool", arguments).text
    let stated = try #require(JSONDecoder().decode([Stated].self, from: Data(text.utf8)).first)
    #expect(report.facts?.exifOrientation == stated.orientation)
    #expect(stated.orientation.map { $0 > 1 } == true)
    #expect(report.format == Self.raws[name])
    #expect(report.status == "unchanged" && report.reason?.id == "applied-by-readers")
    #expect(report.width == 48 && report.height == 32)
    // exiftool needs the raw data of RAF for its size.
    if name != "fujifilm.raf" { #expect(stated.size == "48 32") }
  }

  /// The names of the fixtures of formats that state a rotation in degrees, and of their formats in reports.
  static let rotatedRaws = ["sigma.x3f": "x3f", "quattro.x3f": "x3f", "canon.crw": "crw"]

  @Test(arguments: rotatedRaws.keys.sorted())
  func `A camera raw file without Exif has the rotation and the size that exiftool reads`(
    name: String
  ) throws {
    let path = try scratch.copy("formats/\(name)", as: name)
    let report = try #require(try audit(path)[name])
    let text = try Tool.run("exiftool", ["-n", "-j", "-Rotation", "-ImageSize", path]).text
    let stated = try #require(JSONDecoder().decode([Stated].self, from: Data(text.utf8)).first)
    #expect(report.facts?.formatOrientation == stated.rotation.flatMap { Self.orientations[$0] })
    #expect(stated.rotation.map { $0 > 0 } == true)
    #expect(report.format == Self.rotatedRaws[name])
    #expect(report.status == "unchanged" && report.reason?.id == "applied-by-readers")
    #expect(report.width == 48 && report.height == 32 && stated.size == "48 32")
  }

  /// Orientations by the angle of the rotation that they require.
  private static let orientations = [0: 1, 90: 6, 180: 3, 270: 8]

  @Test(arguments: ["rotated.mp4", "counter.mov", "upside-down.mov", "level.mp4"])
  func `A video has the rotation that exiftool reads`(name: String) throws {
    let path = try scratch.copy("formats/\(name)", as: name)
    let report = try #require(try audit(path)[name])
    let text = try Tool.run("exiftool", ["-n", "-j", "-Rotation", path]).text
    let stated = try #require(JSONDecoder().decode([Stated].self, from: Data(text.utf8)).first)
    #expect(report.facts?.formatOrientation == stated.rotation.flatMap { Self.orientations[$0] })
    #expect(report.width == 64 && report.height == 48)
  }

  @Test func `A mirrored video and one with sound only are reported`() throws {
    for name in ["mirrored.mov", "sound.mp4"] {
      try scratch.copy("formats/\(name)", as: "in/\(name)")
    }
    let reports = try audit(scratch.path("in"))
    #expect(reports["mirrored.mov"]?.facts?.formatOrientation == 2)
    #expect(reports["sound.mp4"]?.facts?.formatOrientation == nil)
    #expect(reports["sound.mp4"]?.status == "already-upright")
  }

  @Test func `A raw file is not changed, and the message names the sidecar`() throws {
    for name in Array(Self.raws.keys) + Self.rotatedRaws.keys {
      let path = try scratch.copy("formats/\(name)", as: name)
      for command in [["tag", "set", "1"], ["tag", "remove"], ["rotate", "90"]] {
        let result = try upright(command + [path])
        #expect(result.status == 1)
        #expect(result.text.contains("set Orientation in the XMP sidecar"))
      }
      #expect(try scratch.read(name) == Fixture.bytes("formats/\(name)"))
    }
  }

  @Test func `A walk that rewrites counts raw files and videos as ignored`() throws {
    try scratch.copy("formats/nikon.nef", as: "in/a.nef")
    try scratch.copy("formats/rotated.mp4", as: "in/b.mp4")
    let result = try upright(["normalize", "-r", scratch.path("in")])
    #expect(result.text.contains("2 ignored (1 camera raw file, 1 video)"))
  }

  @Test func `The sidecar of a raw file is compared with it and is no reason to skip it`() throws {
    try scratch.copy("formats/nikon.nef", as: "in/a.nef")
    try scratch.copy("formats/sony.arw", as: "in/b.arw")
    for (name, orientation) in [("a", 6), ("b", 1)] {
      let packet =
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF"
        + " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''"
        + " xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='\(orientation)'/>"
        + "</rdf:RDF></x:xmpmeta>"
      try scratch.write(Array(packet.utf8), to: "in/\(name).xmp")
    }
    let reports = try audit(scratch.path("in"))
    #expect(reports["a.nef"]?.facts?.orientationsAgree == true)
    #expect(reports["b.arw"]?.facts?.orientationsAgree == false)
    #expect(reports["b.arw"]?.status == "unchanged")
    let companion = reports["b.arw"]?.companions?.first
    #expect(companion?.reason == "obeyed" && companion?.orientation == 1)
    let table = try upright(["audit", scratch.path("in")])
    #expect(table.status == 0)
    let rows = table.lines.map { $0.split(separator: " ") }
    #expect(rows.contains(["By", "format", "files", "tagged", "sidecar"]))
    #expect(rows.contains(["ARW", "1", "–", "1"]))
  }

  @Test func `Files of one name are reported as a pair`() throws {
    for (source, name) in [
      ("formats/nikon.nef", "a.NEF"), ("orientation/aligned-6.jpg", "a.JPG"),
      ("formats/agree.heic", "b.HEIC"), ("formats/rotated.mp4", "b.MOV"),
      ("orientation/aligned-1.jpg", "c.jpg"),
    ] {
      try scratch.copy(source, as: "in/\(name)")
    }
    let reports = try audit(scratch.path("in"))
    #expect(reports["a.JPG"]?.pairedWith == ["a.NEF"])
    #expect(reports["b.MOV"]?.pairedWith == ["b.HEIC"])
    #expect(reports["c.jpg"]?.pairedWith == nil)
    #expect(try audit(scratch.path("in/b.HEIC"))["b.HEIC"]?.pairedWith == ["b.MOV"])
    #expect(try upright(["audit", scratch.path("in")]).text.contains("4 in pairs of one name"))
    let rotated = try upright(["rotate", "90", scratch.path("in/b.HEIC")])
    #expect(rotated.text.contains("b.MOV is not changed"))
  }
}
