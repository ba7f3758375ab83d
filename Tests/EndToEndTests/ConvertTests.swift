import Fixtures
import Foundation
import Testing

/// `upright convert`, from the command line to the files.
struct ConvertTests {
  /// Copies a HEIF fixture.
  private func copy(_ name: String, to scratch: Scratch, as copy: String) throws -> String {
    try scratch.copy("heif/\(name).heic", as: copy)
  }

  @Test func `The result is written next to the source, which is kept`() throws {
    let scratch = try Scratch()
    let file = try copy("transformed", to: scratch, as: "IMG_1.HEIC")
    let result = try upright(["convert", file])
    #expect(result.status == 0)
    #expect(result.lines[0].contains("converted with quality 92, 4:2:0, not lossless"))
    #expect(try scratch.files() == ["IMG_1.HEIC", "IMG_1.jpg"])
    #expect(try scratch.read("IMG_1.HEIC") == Fixture.bytes("heif/transformed.heic"))
    #expect(try upright(["audit", scratch.path("IMG_1.jpg")]).text.contains("already upright"))
  }

  @Test func `A name that begins with its only dot has no ending`() throws {
    let scratch = try Scratch()
    let file = try copy("plain", to: scratch, as: ".heic")
    #expect(try upright(["convert", file]).status == 0)
    #expect(try scratch.files() == [".heic", ".heic.jpg"])
  }

  @Test func `An existing output is replaced only with --overwrite`() throws {
    let scratch = try Scratch()
    let file = try copy("plain", to: scratch, as: "a.heic")
    try scratch.write([1, 2, 3], to: "a.jpg")
    let refused = try upright(["convert", file])
    #expect(refused.status == 2 && refused.errorText.contains("--overwrite"))
    #expect(try scratch.read("a.jpg") == [1, 2, 3])
    #expect(try upright(["convert", file, "--overwrite"]).status == 0)
    #expect(try scratch.read("a.jpg").starts(with: [0xFF, 0xD8]))
  }

  @Test func `Directories are walked into the same tree, by content on demand`() throws {
    let scratch = try Scratch()
    _ = try copy("plain", to: scratch, as: "in/a.heic")
    _ = try copy("gain-map", to: scratch, as: "in/2024/b.bin")
    try scratch.copy("sample/portrait.jpg", as: "in/c.jpg")
    try scratch.write(Array("text".utf8), to: "in/d.heic.txt")
    _ = try copy("plain", to: scratch, as: "in/a.heic_original")
    let arguments = ["convert", "-r", scratch.path("in"), "--output-dir", scratch.path("out")]
    let named = try upright(arguments + ["--dry-run"])
    #expect(
      named.lines.last
        == "1 file: 1 can be converted, 4 ignored (3 files with other names: --all-names, 1 backup: processed if named)"
    )
    let result = try upright(arguments + ["--all-names"])
    #expect(result.status == 0)
    #expect(result.lines.last == "2 files: 2 converted, 1 ignored (1 backup: processed if named)")
    #expect(result.text.contains("not carried over: the gain map"))
    #expect(try scratch.files().filter { $0.hasPrefix("out") } == ["out/2024/b.jpg", "out/a.jpg"])
  }

  @Test func `A bad file does not stop the run`() throws {
    let scratch = try Scratch()
    let good = try copy("grid", to: scratch, as: "good.heic")
    let bad = try scratch.write(
      Array(try Fixture.bytes("heif/grid.heic").dropLast(60)),
      to: "bad.heic"
    )
    let left = try copy("high-dynamic-range", to: scratch, as: "wide.heic")
    let other = try scratch.copy("sample/portrait.jpg", as: "other.jpg")
    let result = try upright(["convert", bad, left, other, good, "--format", "ndjson"])
    #expect(result.status == 2)
    let lines = try result.json()
    #expect(lines.map(\.status) == ["failed", "skipped", "failed", "converted"])
    #expect(lines[1].reason?.id == "high-dynamic-range")
    #expect(lines[2].error?.id == "not-heif")
    #expect((lines[3].width, lines[3].height) == (120, 180))
    #expect(lines[3].transform == "rotate-270")
    #expect(try scratch.files().filter { $0.hasSuffix(".jpg") } == ["good.jpg", "other.jpg"])
    #expect(try upright(["convert", left]).status == 1)
  }

  @Test func `Two sources do not become one file`() throws {
    let scratch = try Scratch()
    let files = try ["A.HEIC", "A.heif"].map { try copy("plain", to: scratch, as: $0) }
    let result = try upright(["convert", "--jobs", "1"] + files)
    #expect(result.status == 2 && result.errorText.contains("the same output"))
    #expect(scratch.exists("A.jpg"))
  }

  @Test func `Mode and times are the source's`() throws {
    let scratch = try Scratch()
    let file = try copy("plain", to: scratch, as: "a.heic")
    let date = Date(timeIntervalSince1970: 1_500_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: date, .posixPermissions: 0o640],
      ofItemAtPath: file
    )
    #expect(try upright(["convert", file]).status == 0)
    let found = try FileManager.default.attributesOfItem(atPath: scratch.path("a.jpg"))
    #expect(found[.modificationDate] as? Date == date)
    #expect(found[.posixPermissions] as? Int == 0o640)
  }

  @Test func `Standard output carries the image, a dry run nothing`() throws {
    let scratch = try Scratch()
    let file = try copy("plain", to: scratch, as: "a.heic")
    let result = try upright(["convert", file, "-o", "-"])
    #expect(result.status == 0 && result.output.starts(with: [0xFF, 0xD8]))
    #expect(result.errorText.contains("converted"))
    let dry = try upright(["convert", file, "-n"])
    #expect(dry.status == 0 && dry.text.contains("can be converted"))
    #expect(try scratch.files() == ["a.heic"])
  }

  @Test(arguments: [
    ["convert"], ["convert", "a", "b", "-o", "c"], ["convert", "a", "--quality", "0"],
    ["convert", "a", "--quality", "101"], ["convert", "a", "-o", "b", "--output-dir", "c"],
  ])
  func `Wrong usage is status 64`(arguments: [String]) throws {
    #expect(try upright(arguments).status == 64)
  }

  @Test func `libheif is loaded only to convert, and the command names it if it is missing`()
    throws
  {
    let scratch = try Scratch()
    let heif = try copy("plain", to: scratch, as: "a.heic")
    let jpeg = try scratch.copy("sample/portrait.jpg", as: "b.jpg")
    try scratch.write([], to: "libraries/libheif.so.1")
    func run(_ arguments: [String]) throws -> Tool {
      let path = "LD_LIBRARY_PATH=" + scratch.path("libraries")
      return try Tool.run("env", [path, uprightBinary.path] + arguments)
    }
    #expect(try run(["normalize", jpeg]).status == 0)
    let result = try run(["convert", heif])
    #expect(result.status == 64 && result.errorText.contains("install libheif1"))
    #expect(try scratch.files() == ["a.heic", "b.jpg", "libraries/libheif.so.1"])
  }

  @Test(
    .enabled(
      if: Corpus.hasPhotos,
      "UPRIGHT_CORPUS names no folder with HEIF files: set it to one"
    ),
    arguments: Corpus.photos
  )
  func `Photos keep the metadata that exiftool reads`(photo: String) throws {
    let scratch = try Scratch()
    let output = scratch.path("a.jpg")
    let done = try upright(["convert", photo, "-o", output])
    // Colors of HDR are not reduced to 8 bits.
    if done.text.contains("transfer characteristics") { return #expect(done.status == 1) }
    #expect(done.status == 0)
    func tags(_ path: String) throws -> [String] {
      let groups = ["-EXIF:all", "-GPS:all", "-MakerNotes:all", "-ICC_Profile:all"]
      let changing = ["Orientation", "ExifImageWidth", "ExifImageHeight"].map { "--" + $0 }
      return try Tool.run(
        "exiftool",
        ["-n", "-a", "-G1", "-s"] + groups + changing + [path]
      ).lines
    }
    let before = try tags(photo)
    let after = try tags(output)
    // A profile is created if the file has only code points.
    let hasProfile = before.contains { $0.hasPrefix("[ICC") }
    // exiftool does not read Exif with the offset 0, which is kept.
    if !before.isEmpty {
      #expect(before == after.filter { hasProfile || !$0.hasPrefix("[ICC") })
    }
    #expect(
      try Tool.run("exiftool", ["-n", "-s3", "-Orientation", output]).text.allSatisfy {
        $0 == "1" || $0 == "\n"
      }
    )
  }

  /// HEIF photos in `UPRIGHT_CORPUS`.
  enum Corpus {
    static var hasPhotos: Bool { !photos.isEmpty }

    static let photos: [String] = {
      guard let folder = RealPhotos.folder,
        let names = FileManager.default.enumerator(atPath: folder)
      else { return [] }
      return names.compactMap { $0 as? String }
        .filter { [".heic", ".heif"].contains(String($0.lowercased().suffix(5))) }
        .sorted().map { folder + "/" + $0 }
        // Samples of metadata have no image.
        .filter {
          (try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int) ?? 0 > 20_000
        }
    }()
  }
}
