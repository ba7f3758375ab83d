import Fixtures
import ISOBMFF
import Testing

/// The file as an older libheif reads it, and bytes after the boxes.
struct DecoderInputTests {
  private func media(_ file: [UInt8]) throws -> MediaFile { try MediaFile(file.span) }

  @Test func `An auxiliary image of two images belongs to the one that is decoded`() throws {
    let file = try heif("tone-mapped")
    let input = try media(file).decoderInput(file)
    let (old, new) = (try media(file), try media(input))
    #expect(try old.directory.item(2).targets("auxl") == [1, 3])
    #expect(try new.directory.item(2).targets("auxl") == [1])
    #expect(input.count == file.count && new.directory.order == old.directory.order)
    for identifier in old.directory.order {
      let (before, after) = (try old.directory.item(identifier), try new.directory.item(identifier))
      #expect(before.targets("dimg") == after.targets("dimg"))
      #expect(
        try old.directory.content(of: before, file.span)
          == new.directory.content(of: after, input.span)
      )
    }
    #expect(try media(input).decoderInput(input) == input)
  }

  @Test(arguments: ["grid", "gain-map", "stereo", "trailer"])
  func `Other files stay as they are`(name: String) throws {
    let file = try heif(name)
    #expect(try media(file).decoderInput(file) == file)
  }

  @Test(
    .enabled(
      if: (try? Tool.run("heif-convert", ["--help"])) != nil,
      "heif-convert is not installed: run tools/setup --tests"
    )
  )
  func `libheif decodes it`() throws {
    let file = try heif("tone-mapped")
    let scratch = try Scratch()
    let path = try scratch.write(try media(file).decoderInput(file), to: "a.heic")
    #expect(try Tool.run("heif-convert", [path, scratch.path("a.png")]).status == 0)
  }

  @Test func `Bytes after the boxes are no box, unless a box ends too early`() throws {
    let file = try heif("trailer")
    #expect(try media(file).trailer == file.count - 56..<file.count)
    #expect(try media(try heif("after")).trailer.isEmpty)
    for type in ["free", "mdat", "uuid"] {
      let error = #expect(throws: FormatError.self) {
        try media(try heif("plain") + [0, 0, 1, 0] + Array(type.utf8))
      }
      #expect(error?.kind == .truncated)
    }
  }
}
