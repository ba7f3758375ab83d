import FileBytes
import Fixtures
import Foundation
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// The fixtures whose data would no longer fit the transformed image, with the kind that must be named.
private let misregistered = [
  "flir": "flir", "flir-two-segments": "flir", "parrot": "parrot-thermal", "infiray": "infiray",
  "dji": "dji-thermal", "gdepth": "gdepth", "gdepth-element": "gdepth",
  "gdepth-extended": "gdepth", "gimage": "gimage", "gimage-extended": "gimage",
  "dynamic-depth": "dynamic-depth", "xiaomi-depth": "xiaomi-depth",
  "samsung-depth": "samsung-depth", "samsung-depth-single": "samsung-depth",
  "samsung-360": "samsung-360", "huawei-depth": "huawei-depth", "insta360": "insta360",
  "panorama": "panorama", "jps": "jps", "stim": "stim", "jpeg-hdr": "jpeg-hdr",
  "photoshop-path": "photoshop-path", "camera-raw-perspective": "camera-raw-perspective",
  "panorama-pixel": "panorama", "jpeg-360": "jpeg-360",
]

/// The fixtures that are transformed all the same: the kind, if any, and what the transform means for it.
private let transformed: [String: (kind: String, effect: RegisteredData.Effect)?] = [
  "xmp-thumbnail": ("xmp-thumbnail", .stale), "app2-preview": ("app2-preview", .stale),
  "app3-preview": ("app3-preview", .stale), "samsung-image": ("samsung-image", .independent),
  "panorama-sphere": ("panorama", .independent),
  "makernote-preview": ("makernote-preview", .stale),
  "makernote-preview-ifd": ("makernote-preview", .stale),
  "makernote-preview-start": ("makernote-preview", .stale), "stream-in-exif": nil,
  "camera-raw-perspective-off": nil, "app3-of-others": nil, "gdepth-without-data": nil,
  "edof-of-others": nil,
]

/// The folder of photos with radiometric data in `UPRIGHT_CORPUS`, with a manifest that names the segments.
private let corpus = RealPhotos.folder
  .map { URL(filePath: $0, directoryHint: .isDirectory).appending(path: "corpus-registered") }
  .flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }

struct RegisteredDataTests {
  private func original(_ name: String) throws -> [UInt8] {
    try Fixture.bytes("registered/\(name).jpg")
  }

  @Test func `Every fixture is tested`() {
    let names = Fixture.all.filter { $0.path.hasPrefix("registered/") }.map {
      String($0.path.dropFirst("registered/".count).dropLast(".jpg".count))
    }
    #expect(Set(names) == Set(misregistered.keys).union(transformed.keys))
  }

  @Test(arguments: misregistered.keys.sorted())
  func `A file whose data would no longer fit the image is skipped, and the kind is named`(
    name: String
  ) throws {
    let file = try original(name)
    let plan = try Rewriter().rewrite(file).plan
    guard case .skip(let reason) = plan.action else {
      Issue.record("\(plan.action)")
      return
    }
    #expect(reason.code == .registeredData)
    let data = try #require(plan.registeredData.first)
    #expect(plan.registeredData.count == 1)
    #expect(data.kind == misregistered[name])
    #expect(data.effect == .misregistered)
    #expect(reason.explanation.contains(data.name))
    #expect(file.indices.contains(data.offset))
    let audit = try Rewriter().audit(file)
    #expect(audit.plan.action == plan.action)
    #expect(audit.plan.registeredData == plan.registeredData)
  }

  @Test(arguments: misregistered.keys.sorted())
  func `The image is transformed and the data is kept if the options say so`(name: String) throws {
    let file = try TransformedFile("registered/\(name).jpg") { $0.registeredData = .keep }
    #expect(file.changesOnlyWhatItLists)
    #expect(
      file.rewrite.plan.notes.contains { $0.text.hasPrefix("kept, but no longer fits the image") }
    )
    #expect(file.rewrite.plan.registeredData.map(\.kind) == [misregistered[name]])
    #expect(try file.rewrite.undo?.restoreOriginal(from: file.bytes) == file.original)
    let transform = name == "panorama" ? "rotate-180" : "rotate-90"
    #expect(try isTransformed(file.original, file.bytes, transform))
  }

  @Test(arguments: transformed.keys.sorted())
  func `Previews are reported, and independent data does not stop a transform`(name: String) throws
  {
    let file = try TransformedFile("registered/\(name).jpg")
    let expected = try #require(transformed[name])
    #expect(file.rewrite.plan.registeredData.map(\.kind) == (expected.map { [$0.kind] } ?? []))
    #expect(file.rewrite.plan.registeredData.first?.effect == expected?.effect)
    let isStale = file.rewrite.plan.notes.contains {
      $0.text.contains("shows the image as it was stored")
    }
    #expect(isStale == (expected?.effect == .stale))
  }

  @Test(arguments: ["flir", "gdepth-extended", "samsung-depth", "huawei-depth"])
  func `A change of the tag alone is not stopped`(name: String) throws {
    let file = try original(name)
    #expect(try Rewriter(.tag(.set(.up))).rewrite(file).plan.action == .changeTag(.up))
    // Rotated against the tag, the stored image is as requested.
    let asStored = try Rewriter(.normalize(then: .rotate270)).rewrite(file).plan
    guard case .resetTag = asStored.action else {
      Issue.record("\(asStored.action)")
      return
    }
    #expect(asStored.registeredData.isEmpty)
  }

  @Test func `An upright file with registered data is already upright`() throws {
    var file = try original("flir")
    let entry: [UInt8] = [0x12, 0x01, 3, 0, 1, 0, 0, 0]
    file[try #require(file.firstRange(of: entry)).upperBound] = 1
    #expect(try Rewriter().rewrite(file).plan.action.rewrites == false)
    let plan = try Rewriter(.normalize(then: .rotate90)).rewrite(file).plan
    guard case .skip(let reason) = plan.action else {
      Issue.record("\(plan.action)")
      return
    }
    #expect(reason.code == .registeredData)
  }

  @Test(arguments: 0...6)
  func `A mark after the image is found where the window of a search ends`(cut: Int) throws {
    let file = try original("huawei-depth")
    func data(_ file: [UInt8]) throws -> [RegisteredData] {
      try Rewriter().plan(size: file.count) { Array(file.dropFirst($0).prefix($1)) }
        .registeredData
    }
    let mark = Array("\0edof\0".utf8)
    let place = try #require(file.firstRange(of: mark)).lowerBound
    let end = try Container(file.span).end
    var far = file
    let gap = [UInt8](repeating: 0, count: end + (1 << 20) - cut - place)
    far.insert(contentsOf: gap, at: place)
    #expect(try data(far).map(\.offset) == [place + gap.count])
    far[place + gap.count + 1] ^= 1
    #expect(try data(far).isEmpty)
  }

  @Test func `A Samsung trailer without its directory has no blocks`() throws {
    var file = try original("samsung-depth")
    #expect(try !Rewriter().plan(file).registeredData.isEmpty)
    let directory = try #require(file.ranges(of: Array("SEFH".utf8)).last)
    file[directory.lowerBound] = 0
    #expect(try Rewriter().plan(file).registeredData.isEmpty)
  }

  @Test func `A panorama that describes the displayed image fits after the rotation`() throws {
    let file = try TransformedFile("conflict/believed-panorama.jpg")
    #expect(file.rewrite.plan.registeredData.map(\.effect) == [.independent])
    // Another rotation changes the displayed image, too.
    let other = try Rewriter(.normalize(then: .rotate90))
      .rewrite(try Fixture.bytes("conflict/believed-panorama.jpg")).plan
    #expect(other.registeredData.map(\.effect) == [.misregistered])
  }

  /// A photo that is rotated, with other segments before its own.
  private func photo(_ payloads: [[UInt8]]) throws -> [UInt8] {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    var file = Array(original.prefix(2))
    for payload in payloads {
      file += [0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
    }
    return file + original.dropFirst(2)
  }

  @Test func `Each of many packets is found at once`() throws {
    // A packet that is parsed, because of the name, and that is searched for edits of darktable.
    let text =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:d="http://darktable.sf.net/" d:a="Orientation"/>"#
      + "</rdf:RDF></x:xmpmeta>"
    let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8)
    let file = try photo(Array(repeating: payload, count: 3_000))
    let start = ContinuousClock.now
    let plan = try Rewriter().plan(file)
    #expect(plan.action.rewrites && plan.registeredData.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `The make of the camera is looked up once for all segments`() throws {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    // An empty directory, and a segment without a name.
    var segments: [UInt8] = [0xFF, 0xE1, 0, 22] + Array("Exif\0\0MM\0*".utf8)
    segments += [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0xE3, 0, 3, 0]
    var file = Array(original.prefix(2))
    for _ in 0..<10_000 { file += segments }
    file += original.dropFirst(2)
    let start = ContinuousClock.now
    let plan = try Rewriter().plan(file)
    #expect(plan.action.rewrites && plan.registeredData.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(arguments: [
    (#"xmlns:G="http://ns.google.com/photos/1.0/depthmap/" "#, true),
    ("://ns.google.com/photos/1.0/depthmap/", false),
  ])
  func `Extended XMP that repeats a namespace is searched once`(
    declaration: String,
    hasPrefix: Bool
  ) throws {
    func kinds(_ text: String) throws -> [String] {
      let identifier = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
      let header = identifier + [UInt8](repeating: 0x30, count: 40)
      let text = Array(text.utf8)
      let parts: [[UInt8]] = stride(from: 0, to: text.count, by: 60_000).map {
        header + text[$0..<min($0 + 60_000, text.count)]
      }
      return try Rewriter().plan(photo(parts)).registeredData.map(\.kind)
    }
    let text = String(repeating: declaration, count: 30_000)
    let start = ContinuousClock.now
    #expect(try kinds(text) == [])
    #expect(try kinds(text + #" G:Data="0""#) == (hasPrefix ? ["gdepth"] : []))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(.enabled(if: corpus != nil, "UPRIGHT_CORPUS names no folder: set it to a folder of photos"))
  func `Photos of thermal cameras are skipped, or transformed with a note and restored`() throws {
    let folder = try #require(corpus)
    let manifest = try String(contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    let entries = manifest.split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
    #expect(!entries.isEmpty)
    for entry in entries {
      let photo = [UInt8](try Data(contentsOf: folder.appending(path: String(entry[0]))))
      let file = try ImageFile(photo).withOrientation(6) ?? Self.withExif(6, photo)
      var options = Options()
      options.onConflict = .trustTag
      let skipped = try Rewriter(options: options).rewrite(file).plan
      guard case .skip(let reason) = skipped.action else {
        Issue.record("\(entry[0]): \(skipped.action)")
        continue
      }
      #expect(reason.code == .registeredData)
      let kind = entry[2].contains("APP3") ? "dji-thermal" : "flir"
      #expect(skipped.registeredData.map(\.kind) == [kind])
      options.registeredData = .keep
      guard case .rewritten(let rewrite) = try Rewriter(options: options).rewrite(file) else {
        Issue.record("\(entry[0]) is not transformed")
        continue
      }
      #expect(
        rewrite.plan.notes.contains { $0.text.hasPrefix("kept, but no longer fits the image") }
      )
      #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == file, "\(entry[0])")
    }
  }

  /// The file with a new Exif segment that gives an Orientation.
  private static func withExif(_ orientation: UInt8, _ photo: [UInt8]) -> [UInt8] {
    let exif =
      Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
      + [orientation, 0, 0, 0, 0, 0, 0, 0]
    return photo.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + photo.dropFirst(2)
  }

  @Test func `A crop is stopped, too, and otherwise says that the data shows more`() throws {
    let file = try original("flir")
    let rectangle = PixelRectangle(x: 0, y: 0, width: 32, height: 32)
    let skipped = try Rewriter(.crop(rectangle)).rewrite(file).plan
    #expect(!skipped.action.rewrites)
    var options = Options()
    options.registeredData = .keep
    let cropped = try Rewriter(.crop(rectangle), options: options).rewrite(file).plan
    #expect(cropped.notes.contains { $0.text.contains("it may show what was cut away") })
  }

  @Test(.requiresExifTool)
  func `The marker is moved in the image and stays in the matrix`() throws {
    let file = try TransformedFile("registered/flir.jpg") { $0.registeredData = .keep }
    let matrix = try ExifTool.data("RawThermalImage", file.original)
    #expect(!matrix.isEmpty)
    #expect(try ExifTool.data("RawThermalImage", file.bytes) == matrix)
    // The marker is the block of 8 by 8 pixels at (24, 8) of the stored image; tag 6 moves it to (48, 24).
    for (bytes, x, y) in [(file.original, 28, 12), (file.bytes, 51, 28)] {
      let pixels = try Pixels(bytes)
      let place = (y * pixels.width + x) * pixels.depth
      #expect(pixels.samples[place] > 150 && pixels.samples[place + 1] < 60, "\(x), \(y)")
    }
  }
}
