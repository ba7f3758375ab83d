import FileSystem
import SystemPackage
import Testing

@Suite struct OutputTreeTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `files below a root are mirrored, without the root's own name`() throws {
    let file = try sandbox.file("photos/2020/a.jpg")
    let root = sandbox.path.appending("photos")
    let tree = OutputTree(directory: "out", roots: [root])
    #expect(try tree.output(for: file, root: root) == "out/2020/a.jpg")
  }

  @Test func `a file that is a root keeps only its name`() throws {
    let file = try sandbox.file("photos/2020/a.jpg")
    let tree = OutputTree(directory: "/out", roots: [file])
    #expect(try tree.output(for: file, root: file) == "/out/a.jpg")
  }

  @Test func `roots relative to the working directory are mirrored`() throws {
    let tree = OutputTree(directory: "out", roots: [".", "../x"])
    #expect(try tree.output(for: "./2020/a.jpg", root: ".") == "out/2020/a.jpg")
    #expect(try tree.output(for: "../x/y/a.jpg", root: "../x") == "out/y/a.jpg")
    #expect(try tree.output(for: "../a.jpg", root: "../a.jpg") == "out/a.jpg")
  }

  @Test func `two roots with the same path below are refused, both of them`() throws {
    let first = try sandbox.file("one/2020/a.jpg")
    let second = try sandbox.file("two/2020/a.jpg")
    let alone = try sandbox.file("two/2020/b.jpg")
    let roots = [sandbox.path.appending("one"), sandbox.path.appending("two")]
    let tree = OutputTree(directory: "out", roots: roots)
    #expect(problem { _ = try tree.output(for: first, root: roots[0]) } == .outputCollision)
    #expect(problem { _ = try tree.output(for: second, root: roots[1]) } == .outputCollision)
    #expect(try tree.output(for: alone, root: roots[1]) == "out/2020/b.jpg")
  }

  @Test func `two named files of the same name are refused, both of them`() throws {
    let first = try sandbox.file("one/scan")
    let second = try sandbox.file("two/scan")
    let tree = OutputTree(directory: "out", roots: [first, second])
    #expect(problem { _ = try tree.output(for: first, root: first) } == .outputCollision)
    #expect(problem { _ = try tree.output(for: second, root: second) } == .outputCollision)
  }

  @Test func `a named file and a directory's file of the same name are refused`() throws {
    let named = try sandbox.file("one/a.jpg")
    let found = try sandbox.file("two/a.jpg")
    let root = sandbox.path.appending("two")
    let tree = OutputTree(directory: "out", roots: [named, root])
    #expect(problem { _ = try tree.output(for: named, root: named) } == .outputCollision)
    #expect(problem { _ = try tree.output(for: found, root: root) } == .outputCollision)
  }

  @Test func `a file that the walk would not take does not collide`() throws {
    let named = try sandbox.file("one/scan")
    try sandbox.file("two/scan")
    let tree = OutputTree(directory: "out", roots: [named, sandbox.path.appending("two")])
    #expect(try tree.output(for: named, root: named) == "out/scan")
  }

  @Test func `a file that is named twice does not collide with itself`() throws {
    let file = try sandbox.file("a.jpg")
    let tree = OutputTree(directory: "out", roots: [file, file, sandbox.path])
    #expect(try tree.output(for: file, root: file) == "out/a.jpg")
  }

  @Test func `a file does not collide with itself below another name of its folder`() throws {
    let file = try sandbox.file("one/a.jpg")
    let link = try sandbox.symbolicLink("two", to: "one")
    let root = sandbox.path.appending("one")
    let tree = OutputTree(directory: "out", roots: [root, link])
    #expect(try tree.output(for: file, root: root) == "out/a.jpg")
  }
}
