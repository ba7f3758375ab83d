import Fixtures
import Foundation
import Testing

/// The whole work on an archive, from the audit to the restored tree.
@Suite struct ArchiveDayTests {
  let scratch: Scratch
  let tree: String

  init() throws {
    scratch = try Scratch()
    tree = scratch.path("bag/data")
    for (fixture, name) in [
      (rotatedFixture, "2023/a.jpg"), ("sample/portrait.jpg", "2023/B c'd \"e\".JPG"),
      (unalignedFixture, "2024/ünïcode 写真.jpeg"), ("orientation/aligned-8.jpg", "2024/-n.jpg"),
      (uprightFixture, "2024/upright.jpg"), ("multi-picture/depth.jpg", "2024/gain.jpg"),
      (rotatedFixture, "2024/backup.jpg_original"), (rotatedFixture, ".trash/hidden.jpg"),
      (damagedFixture, "damaged/cut.jpg"), ("bad/png-header.jpg", "damaged/png.jpg"),
      ("bad/empty.jpg", "damaged/empty.jpg"), ("conflict/dimensions-tag-6.jpg", "stale/edited.jpg"),
      (skippedFixture, "stale/nine.jpg"), (rotatedFixture, "sidecar/with.jpg"),
    ] {
      try scratch.copy(fixture, as: "bag/data/" + name)
    }
    try scratch.write(Array("notes\n".utf8), to: "bag/data/notes.txt")
    let sidecar = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>\
      </rdf:RDF></x:xmpmeta>
      """
    try scratch.write(Array(sidecar.utf8), to: "bag/data/sidecar/with.jpg.xmp")
    _ = try Tool.run("touch", [scratch.path("bag/data/2024") + "/odd\nname.txt"])
  }

  /// The files of the payload that existed in the morning, by their names.
  private func payload() throws -> [String: [UInt8]] { try contents(of: "bag/data/") }

  private func contents(of folder: String) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for file in try scratch.files() where file.hasPrefix(folder) && !file.hasSuffix(".kept") {
      contents[file] = try scratch.read(file)
    }
    return contents
  }

  private func hashes() throws -> String {
    let command = "find data -type f ! -name '*.kept' -print0 | sort -z | xargs -0 sha256sum"
    return try Tool.run("sh", ["-c", "cd \"$0\" && " + command, scratch.path("bag")]).text
  }

  @Test func `An archive is audited, normalized, proven, bagged and restored`() throws {
    let morning = try payload()
    // A payload of names that every manifest can hold.
    try FileManager.default.removeItem(atPath: tree + "/2024/odd\nname.txt")
    let before = try payload()
    #expect(morning.count == before.count + 1)
    try scratch.write(
      Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8),
      to: "bag/bagit.txt"
    )
    try scratch.write(Array(try hashes().utf8), to: "bag/manifest-sha256.txt")

    let audit = try upright(["audit", tree])
    #expect(audit.status == 2)
    #expect(audit.lines.last?.contains("1 hidden folder: --hidden") == true)
    #expect(audit.lines.last?.contains("1 backup: processed if named") == true)
    #expect(audit.lines.last?.contains("1 file with another name: --all-names") == true)

    let (record, journal) = (scratch.path("record.ndjson"), scratch.path("journal"))
    let options = [
      "--record", record, "--journal", journal, "--backup", ".kept", "--sidecars", "update",
    ]
    let dry = try upright(["normalize", "-rn", "--format", "ndjson", tree] + options)
    #expect(try payload() == before)
    #expect(!scratch.exists("record.ndjson") && !scratch.exists("journal"))

    let done = try upright(["normalize", "-r", "--format", "ndjson", tree] + options)
    #expect(done.status == 2)
    let planned = try dry.json().filter { $0.status == "planned" }.map(\.path)
    let rewritten = try done.json().filter { $0.status == "normalized" }.map(\.path)
    #expect(Set(rewritten).count == 6)
    // Some damage is found only by reading the whole file.
    #expect(Set(planned) == Set(rewritten).union(["\(tree)/damaged/cut.jpg"]))
    for path in rewritten {
      let name = "bag/data" + path.dropFirst(tree.count)
      #expect(try scratch.read(name + ".kept") == before[name])
    }

    let after = try payload()
    let again = try upright(["normalize", "-r", "--format", "ndjson", tree] + options)
    #expect(try again.json().allSatisfy { $0.status != "normalized" })
    #expect(try payload() == after)

    for path in rewritten {
      let text = try upright(["verify", path + ".kept", path]).text
      #expect(text.contains(": proven") || text.contains(": partly proven"))
    }
    // A bag contains only files that its manifest lists.
    for file in try scratch.files() where file.hasSuffix(".kept") {
      try FileManager.default.removeItem(atPath: scratch.path(file))
    }
    let bag = try Tool.run(
      "python3",
      [Self.tool("bagit-update"), scratch.path("bag"), record]
    )
    #expect(bag.status == 0, "\(bag.errorText)")
    let manifest = String(decoding: try scratch.read("bag/manifest-sha256.txt"), as: UTF8.self)
    #expect(Set(manifest.split(separator: "\n")) == Set(try hashes().split(separator: "\n")))

    let undone = try upright(["undo", "-r", "--record", record, tree])
    #expect(undone.status == 0, "\(undone.text)\(undone.errorText)")
    #expect(try payload() == before)
  }

  @Test func `Sidecars of four programs fit their photos after the default run`() throws {
    for orientation in [6, 8, 1] {
      for (name, packet) in Self.sidecars {
        let photo = name.split(separator: ".")[0] + "-\(orientation)"
        try scratch.copy("orientation/aligned-\(orientation).jpg", as: "four/\(photo).jpg")
        try scratch.write(
          Array(packet.replacing("NUMBER", with: "\(orientation)").utf8),
          to: "four/\(photo)." + name.split(separator: ".", maxSplits: 1)[1]
        )
      }
    }
    let folder = scratch.path("four")
    let before = try contents(of: "four/")
    let record = ["--record", scratch.path("four.ndjson")]
    #expect(try upright(["audit", "--check", folder]).status == 1)
    #expect(try upright(["normalize", "-r", folder] + record).text.contains("12 files: 8 rotated"))
    let check = try upright(["audit", "--check", folder])
    #expect(check.status == 0 && check.text == "12 files: 12 already upright\n", "\(check.text)")
    #expect(try contents(of: "four/").filter { $0.value != before[$0.key] }.count == 16)
    #expect(try upright(["undo"] + record).status == 0)
    #expect(try contents(of: "four/") == before)
  }

  /// Sidecars in the forms and under the names of four programs.
  private static let sidecars: [String: String] = {
    func packet(_ attributes: String, _ elements: String) -> String {
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:darktable="http://darktable.sf.net/" \
      xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
      xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" \(attributes)>\(elements)\
      </rdf:Description></rdf:RDF></x:xmpmeta>

      """
    }
    let element = "<tiff:Orientation>NUMBER</tiff:Orientation>"
    let size = #"tiff:Orientation="NUMBER" tiff:ImageWidth="96" tiff:ImageLength="64""#
    let face = """
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="96" stDim:h="64" stDim:unit="pixel"/>\
      <mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource"><mwg-rs:Type>Face</mwg-rs:Type>\
      <mwg-rs:Area stArea:x="0.25" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2" stArea:unit="normalized"/>\
      </rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      """
    let history = """
      <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure" darktable:enabled="1"/>\
      </rdf:Seq></darktable:history>
      """
    return [
      "lightroom.xmp": packet(size + #" crs:HasCrop="False" crs:Exposure2012="+0.50""#, ""),
      "digikam.jpg.xmp": packet("", element + face),
      "darktable.jpg.xmp": packet(#"tiff:Orientation="NUMBER""#, history),
      "exiftool.xmp": packet("", element + "<exif:GPSLatitude>48,12.5N</exif:GPSLatitude>"),
    ]
  }()

  private static func tool(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../tools/records/upright-\(name)"
    )
    .standardized.path
  }
}
