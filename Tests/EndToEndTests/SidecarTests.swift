import Fixtures
import Foundation
import Testing

/// XMP files beside photos, as the command is called and answers; what becomes of them is tested with the files.
struct SidecarTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `The sidecar of an upright photo that gives another Orientation ends with status 1`()
    throws
  {
    let photo = try scratch.copy(uprightFixture, as: "tree/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/a.xmp")
    for arguments in [[], ["-n"], ["--sidecars", "update"]] {
      #expect(try upright(["normalize"] + arguments + [photo]).status == 1, "\(arguments)")
    }
    for format in ["table", "text", "csv"] {
      #expect(try upright(["audit", "--format", format, scratch.path("tree")]).status == 1)
    }
    #expect(try upright(["normalize", "--sidecars", "ignore", photo]).status == 0)
  }

  @Test func `The advice on a sidecar that contradicts its photo is a command that mends it`()
    throws
  {
    let photo = try scratch.copy(uprightFixture, as: "a b.jpg")
    try scratch.write(Sidecars.packet(6), to: "a b.xmp")
    let text = try upright(["normalize", photo]).text
    let command = "upright tag set 6 '\(photo)' && upright normalize '\(photo)'"
    #expect(text.contains("if the sidecar is correct: \(command))"), "\(text)")
    let path = uprightBinary.deletingLastPathComponent().path
    let result = try Tool.run("sh", ["-c", "PATH=$0:$PATH; \(command)", path])
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try upright(["audit", "--check", photo]).status == 0)
  }

  @Test func `The Orientation that a sidecar had is reported`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let result = try upright(["rotate", "90", photo])
    #expect(result.text.contains("\(sidecar) was updated; its Orientation was 6"))
    #expect(try Sidecars.orientation(scratch.read("a.xmp")) == "1")
  }

  @Test(arguments: ["a.xmp", "a.jpg.xmp"])
  func `A sidecar that is named leads to its photo`(name: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: name)
    for arguments in [["normalize"], ["tag", "set", "3"], ["audit"]] {
      let result = try upright(arguments + [sidecar])
      #expect(result.status == 2)
      let hint = "this is a sidecar, which is updated with its photo: name \(photo)"
      #expect((result.text + result.errorText).contains(hint), "\(result.text)")
    }
  }

  @Test func `An audit counts the photos to rotate that have a sidecar`() throws {
    for name in ["tree/a.jpg", "tree/b.jpg"] { try scratch.copy(rotatedFixture, as: name) }
    try scratch.copy(uprightFixture, as: "tree/c.jpg")
    for name in ["tree/a.jpg.xmp", "tree/c.jpg.xmp"] {
      try scratch.write(Sidecars.packet(1), to: name)
    }
    let table = try upright(["audit", scratch.path("tree")]).text
    #expect(table.contains("1  sidecars (updated with their photos)"))
  }

  @Test(arguments: [".xmp", ".jpg.xmp"])
  func `Names that are not UTF-8 find their sidecar`(ending: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let script = """
      cd "$1" && mkdir odd && mv "$2" "odd/$(printf 'a\\377.jpg')" \
      && mv "$3" "odd/$(printf 'a\\377')$5" && "$4" normalize -r --sidecars update odd \
      && cp odd/*.xmp after.xmp
      """
    let arguments = [scratch.url.path, photo, sidecar, uprightBinary.path, ending]
    let result = try Tool.run("sh", ["-c", script, "sh"] + arguments)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try scratch.read("after.xmp") == Sidecars.packet(1))
  }

  /// Whatever limits a file's size ends a write as a full disk does.
  @Test func `If the sidecar cannot be written, the photo is not replaced either`() throws {
    let photo = try scratch.copy("sample/portrait.jpg", as: "a.jpg")
    let packet = Sidecars.packet(6) + [UInt8](repeating: 0x20, count: 200_000)
    try scratch.write(packet, to: "a.xmp")
    let command = "ulimit -f 100; exec \"$0\" normalize --sidecars update \"$1\""
    let result = try Tool.run("sh", ["-c", command, uprightBinary.path, photo])
    #expect(result.status == 2, "\(result.text)")
    #expect(result.errorText.contains("sidecar"))
    #expect(try scratch.read("a.jpg") == Fixture.bytes("sample/portrait.jpg"))
    #expect(try scratch.read("a.xmp") == packet)
    #expect(try scratch.files() == ["a.jpg", "a.xmp"])
  }

  @Test func `A record proves a photo of either format with its sidecars`() throws {
    let record = ["--record", scratch.path("record")]
    let photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/a.jpg.xmp")
    try scratch.write(Sidecars.packet(6, width: 96), to: "tree/a.xmp")
    for name in ["a.jgw", "a.wld"] { try scratch.write(Sidecars.worldFile, to: "tree/\(name)") }
    #expect(try upright(["normalize", photo] + record).status == 0)
    #expect(try upright(["verify", scratch.path("tree")] + record).status == 0)
    for orientation in [6, 1, 8] {
      let file = try scratch.copy("formats/agree.heic", as: "\(orientation).heic")
      try scratch.write(Sidecars.packet(orientation, width: 96), to: "\(orientation).xmp")
      #expect(try upright(["rotate", "90", file] + record).status == 0)
      #expect(try upright(["verify", file] + record).status == 0)
    }
  }
}
